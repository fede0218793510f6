import type { McpCompletion } from '../model/mcp-types.ts';
import { runComponent, toSendable } from '../pipeline/component-reply.ts';
import type { ComponentReply, Written } from '../pipeline/component-reply.ts';
import { isString } from '../errors/options/rules.ts';
import type { CompletableEntry, CompletionInput } from './compile-completers.ts';
import type { CompletionRequest } from './completion.ts';

/** Maximum number of values in a response, set by the protocol. */
const MAX_VALUES = 100;

/** Responds to a completion request for a prompt or resource template that is visible to the caller. */
export function complete(
  { completers }: CompletableEntry,
  request: CompletionRequest,
): Promise<ComponentReply<McpCompletion>> {
  const { completed, tool } = completers;
  const { ref, argument, value, signal, cancellation, meta, context } = request;
  const { principal, accessToken, address, connection } = request;
  if (tool === undefined || !completed.has(argument)) return Promise.resolve(NOTHING);
  const input: CompletionInput = { argument, value, arguments: request.arguments ?? {} };
  const caller = { principal, accessToken, address, connection };
  const call = { ...caller, name: ref, arguments: input, signal, cancellation, meta, context };
  return runComponent(tool, call, (found) => writeCompletion(found, tool.collaborators.maxResultBytes));
}

/** The empty response, for example for an unknown argument. */
export const NOTHING: ComponentReply<McpCompletion> = {
  kind: 'value',
  value: { values: [], total: 0, hasMore: false },
};

function writeCompletion(found: unknown, maxBytes: number): Written<McpCompletion> {
  const isList = Array.isArray(found);
  const given = (isList ? { values: found, total: found.length } : (found ?? {})) as Record<string, unknown>;
  const { values, total, hasMore } = given as { values?: unknown; total?: unknown; hasMore?: unknown };
  if (!Array.isArray(values)) return NO_COMPLETION;
  const shown = values.slice(0, MAX_VALUES) as unknown[];
  const isCount = total === undefined || (Number.isSafeInteger(total) && (total as number) >= values.length);
  if (!shown.every(isString) || !isCount) return NO_COMPLETION;
  const isCut = values.length > shown.length || (typeof total === 'number' && total > shown.length);
  return toSendable(
    {
      values: shown,
      ...(total === undefined ? {} : { total }),
      hasMore: isCut || hasMore === true,
    },
    maxBytes,
  ) as Written<McpCompletion>;
}

const NO_COMPLETION: Written<never> = {
  kind: 'invalid-output',
  reason: 'a completer returns an array of strings, or { values, total, hasMore }',
};
