import { JSON_RPC_INTERNAL_ERROR, JSON_RPC_INVALID_PARAMS } from '../errors/codes.ts';
import type { ErrorCode } from '../errors/codes.ts';
import { ToolwrightError } from '../errors/errors.ts';
import { ERROR_META_KEY } from '../errors/error-handler.ts';
import type { ErrorDetails } from '../errors/error-handler.ts';
import { serialize, sizeWithin } from '../format/serialize.ts';
import type { ToolCall } from './context/call.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';
import { formatFault, formatOutcome } from './reply/format-outcome.ts';
import { runCall } from './run-call.ts';
import type { Outcome } from './tool/outcome.ts';
import type { ToolReply } from './reply/tool-reply.ts';

/** The reply to a call of a prompt or resource, which have no result with `isError`. */
export type ComponentReply<TValue> =
  | { readonly kind: 'value'; readonly value: TValue }
  | {
      readonly kind: 'protocol-error';
      /** The JSON-RPC code. */
      readonly code: number;
      /** The error code of Toolwright. */
      readonly reason: ErrorCode;
      readonly message: string;
      readonly data?: unknown;
    }
  /** The client must be asked first; the dialogue of the call has the request. */
  | { readonly kind: 'input-required' };

/** The value of a handler in the form of the protocol, or the reason why it has none. */
export type Written<TValue> =
  | { readonly kind: 'value'; readonly value: TValue }
  | Extract<Outcome, { kind: 'invalid-output' | 'too-large' }>
  /** A reply that replaces the value of the handler. */
  | { readonly kind: 'reply'; readonly reply: ComponentReply<never> };

/** Converts the value of a handler to the form of the protocol. May throw, because inspecting the value may throw. */
export type Write<TValue> = (value: unknown) => Written<TValue>;

/** Calls a prompt or resource. Always returns a reply, never throws. */
export async function runComponent<TValue>(
  component: CompiledTool,
  call: ToolCall,
  write: Write<TValue>,
): Promise<ComponentReply<TValue>> {
  try {
    const { outcome } = await runCall(component, call, call.arguments);
    if (outcome.kind === 'fault') throw outcome.error;
    return formatComponent(component, outcome, write);
  } catch (error) {
    // Reached only if a collaborator breaks its contract; errors of handlers are caught where they run.
    return toRefusal(formatFault(component, error));
  }
}

/** The value of a reply; throws if it has none. */
export function toValue<TValue>(reply: ComponentReply<TValue>): TValue {
  if (reply.kind === 'value') return reply.value;
  const { reason, message } = reply.kind === 'input-required' ? PENDING : reply;
  throw new ToolwrightError(reason, message);
}

const PENDING = {
  reason: 'INPUT_PENDING',
  message: 'The call needs input that this client cannot provide.',
} as const;

function formatComponent<TValue>(
  component: CompiledTool,
  outcome: Outcome,
  write: Write<TValue>,
): ComponentReply<TValue> {
  const written = outcome.kind === 'value' ? writeSafely(write, outcome.value) : outcome;
  if (written.kind === 'value') return written;
  if (written.kind === 'reply') return written.reply;
  return toRefusal(formatOutcome(component, written, undefined));
}

function writeSafely<TValue>(write: Write<TValue>, value: unknown): Written<TValue> {
  try {
    return write(value);
  } catch {
    return { kind: 'invalid-output', reason: 'one of its members throws when it is read' };
  }
}

/** Converts a result with `isError` to a JSON-RPC error. */
function toRefusal(reply: ToolReply): ComponentReply<never> {
  if (reply.kind !== 'result') return reply;
  const [first] = reply.result.content;
  const details = reply.result._meta?.[ERROR_META_KEY] as ErrorDetails | undefined;
  const reason = details?.code ?? 'TOOL_FAILED';
  return {
    kind: 'protocol-error',
    code: reason === 'INVALID_ARGUMENTS' ? JSON_RPC_INVALID_PARAMS : JSON_RPC_INTERNAL_ERROR,
    reason,
    message: first?.type === 'text' ? first.text : 'The call failed.',
    data: { ...details, code: reason },
  };
}

/** A plain copy of a value, made through JSON: getters are read once, here, where a throw is harmless. */
export function toSendable(value: unknown, limit: number): Written<unknown> {
  const serialized = serialize(value, { maxBytes: limit });
  if (!serialized.ok) {
    const { isTooLarge, reason } = serialized;
    return isTooLarge ? { kind: 'too-large', limit } : { kind: 'invalid-output', reason };
  }
  const { json } = serialized;
  const bytes = sizeWithin(json, limit);
  return bytes > limit ? { kind: 'too-large', bytes, limit } : { kind: 'value', value: JSON.parse(json) };
}
