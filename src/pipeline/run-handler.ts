import { isPromiseLike } from '../schema/validated.ts';
import type { MaybePromise } from '../schema/validated.ts';
import type { CallContext } from './call-context.ts';
import type { CompiledTool } from './compiled-tool.ts';
import type { Outcome } from './outcome.ts';

/** Runs the handler. Whatever it throws, now or later, becomes a value. */
export function runHandler(tool: CompiledTool, input: unknown, context: CallContext): MaybePromise<Outcome> {
  try {
    const returned = tool.handler({ input, context });
    // A promise is observed here and nowhere else, so a late rejection can never end the process.
    return isPromiseLike(returned) ? Promise.resolve(returned).then(toValue, toFailure) : toValue(returned);
  } catch (error) {
    return toFailure(error);
  }
}

function toValue(value: unknown): Outcome {
  return { kind: 'value', value };
}

function toFailure(error: unknown): Outcome {
  return { kind: 'failed', error };
}
