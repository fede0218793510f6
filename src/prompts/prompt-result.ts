import { isContentBlock } from '../format/content.ts';
import { isPlainObject } from '../format/block-members.ts';
import type { McpGetPromptResult, McpPromptMessage } from '../model/mcp-types.ts';
import { toSendable } from '../pipeline/component-reply.ts';
import type { Written } from '../pipeline/component-reply.ts';

/** Converts the value of a handler to a result of the protocol. */
export function writePromptResult(
  returned: unknown,
  description: string | undefined,
  maxBytes: number,
): Written<McpGetPromptResult> {
  const copied = toSendable(returned, maxBytes);
  if (copied.kind !== 'value') return copied;
  const result = toResult(copied.value);
  if (result === undefined) return NO_MESSAGES;
  return { kind: 'value', value: description === undefined ? result : { description, ...result } };
}

const NO_MESSAGES: Written<never> = {
  kind: 'invalid-output',
  reason: 'a prompt returns a string, messages with a role and one content block each, or { messages }',
};

function toResult(value: unknown): McpGetPromptResult | undefined {
  if (typeof value === 'string')
    return { messages: [{ role: 'user', content: { type: 'text', text: value } }] };
  if (isMessage(value)) return { messages: [value] };
  if (Array.isArray(value)) return value.every(isMessage) ? { messages: value } : undefined;
  return isResult(value) ? value : undefined;
}

function isMessage(value: unknown): value is McpPromptMessage {
  if (!hasOnly(value, ['role', 'content'])) return false;
  const { role, content } = value as { role?: unknown; content?: unknown };
  return (role === 'user' || role === 'assistant') && isContentBlock(content);
}

function isResult(value: unknown): value is McpGetPromptResult {
  if (!hasOnly(value, ['description', 'messages', '_meta'])) return false;
  const { description, messages, _meta } = value as { [TKey in keyof McpGetPromptResult]?: unknown };
  return (
    Array.isArray(messages) &&
    messages.every(isMessage) &&
    (description === undefined || typeof description === 'string') &&
    (_meta === undefined || isPlainObject(_meta))
  );
}

/** An object with other members is not a result, and they would be lost. */
function hasOnly(value: unknown, keys: readonly string[]): boolean {
  return isPlainObject(value) && Object.keys(value).every((key) => keys.includes(key));
}
