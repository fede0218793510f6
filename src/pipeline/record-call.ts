import { isPromiseLike } from '../base/maybe-promise.ts';
import { wallTimeOf } from '../base/time/clock.ts';
import type { ErrorCode } from '../errors/codes.ts';
import type { ComponentKind } from '../errors/component-kind.ts';
import { ERROR_META_KEY } from '../errors/error-handler.ts';
import type { ErrorDetails } from '../errors/error-handler.ts';
import { toLoggedError } from '../errors/log-thrown.ts';
import { traceparentOf } from '../middleware/parts/traceparent.ts';
import type { ComponentReply } from './component-reply.ts';
import type { CallEnd, ToolCall } from './context/call.ts';
import type { ToolReply } from './reply/tool-reply.ts';
import type { CallRecord, Collaborators } from './tool/compiled-tool.ts';

/** No name of a tool or prompt is longer; a record must not repeat a megabyte of input. */
const MAX_NAME = 128;

/** Starts the record of a call. Undefined if nobody wants it. */
export function startRecord(
  { onCallEnd, clock, logger }: Collaborators,
  call: ToolCall,
  kind: ComponentKind = 'tool',
): ((end: CallEnd) => void) | undefined {
  if (onCallEnd === undefined) return undefined;
  const [startedAt, at] = [clock.now(), wallTimeOf(clock)];
  const { principal, meta } = call;
  const traceparent = traceparentOf(meta);
  return ({ name = String(call.name).slice(0, MAX_NAME), outcome, code }) => {
    const fail = (error: unknown): void =>
      logger.error('onCallEnd failed; the record of the call is lost', { name, error: toLoggedError(error) });
    const record: CallRecord = {
      at,
      kind,
      name,
      ...(principal === undefined ? {} : { principal: principal.id }),
      ...(traceparent === undefined ? {} : { traceparent }),
      outcome,
      ...(code === undefined ? {} : { code }),
      durationMs: clock.now() - startedAt,
    };
    try {
      const written: unknown = onCallEnd(record);
      // The response does not wait for it.
      if (isPromiseLike(written)) written.then(undefined, fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** The end of a call, as its reply tells it. `name`: the canonical name, if the caller may use the tool. */
export function toEnd(reply: ToolReply | ComponentReply<unknown>, name?: string): CallEnd {
  const named = name === undefined ? {} : { name };
  switch (reply.kind) {
    case 'protocol-error':
      return { ...named, outcome: 'error', code: reply.reason };
    case 'input-required':
      return { ...named, outcome: 'input-required' };
    case 'value':
      return { ...named, outcome: 'ok' };
    case 'result':
      if (reply.result.isError !== true) return { ...named, outcome: 'ok' };
      return { ...named, outcome: 'error', code: codeIn(reply.result._meta?.[ERROR_META_KEY]) };
    default:
      return reply satisfies never;
  }
}

/** A handler that returns a failure itself gives it no code. */
function codeIn(details: unknown): ErrorCode {
  return (details as Partial<ErrorDetails> | undefined)?.code ?? 'TOOL_ERROR';
}
