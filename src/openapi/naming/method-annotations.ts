import type { McpToolAnnotations } from '../../model/mcp-types.ts';

/** All four hints: some clients reject a tool that omits one. */
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
/** For an unknown method, the worst is assumed. */
const UNKNOWN: Effects = [false, true, false];

/** Annotations for the method of an operation. Every tool has `openWorldHint`, because it calls an API. */
export function annotationsOf(method: string): MethodAnnotations {
  const [readOnlyHint, destructiveHint, idempotentHint] = EFFECTS.get(method.toUpperCase()) ?? UNKNOWN;
  return { readOnlyHint, destructiveHint, idempotentHint, openWorldHint: true };
}
