import type { McpToolAnnotations } from '../../model/mcp-types.ts';

/** All four hints: some clients refuse a tool that leaves one to the protocol's default. */
export type MethodAnnotations = Required<
  Pick<McpToolAnnotations, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'>
>;

type Effects = readonly [isReadOnly: boolean, isDestructive: boolean, isIdempotent: boolean];

const READS: Effects = [true, false, true];
const EFFECTS: ReadonlyMap<string, Effects> = new Map<string, Effects>([
  ['GET', READS],
  ['HEAD', READS],
  ['OPTIONS', READS],
  ['QUERY', READS],
  ['TRACE', READS],
  ['PUT', [false, false, true]],
  ['POST', [false, false, false]],
  ['PATCH', [false, false, false]],
  ['DELETE', [false, true, true]],
]);
/** Of a method that nobody knows, the worst is assumed. */
const UNKNOWN: Effects = [false, true, false];

/** What the method of an operation says about a tool. An API is a world of its own, so every tool is open to it. */
export function annotationsOf(method: string): MethodAnnotations {
  const [readOnlyHint, destructiveHint, idempotentHint] = EFFECTS.get(method.toUpperCase()) ?? UNKNOWN;
  return { readOnlyHint, destructiveHint, idempotentHint, openWorldHint: true };
}
