import { isPromiseLike } from '../base/maybe-promise.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { HandlerArgument } from '../middleware/handler-argument.ts';
import type { CallContext } from './context/call-context.ts';
import { checkOutput } from './check-output.ts';
import { fromHandlerError } from './tool/thrown-issues.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';
import type { Outcome } from './tool/outcome.ts';

/** Runs the handler and checks its value. Thrown errors and rejections become outcomes. */
export function runHandler(tool: CompiledTool, input: unknown, context: CallContext): MaybePromise<Outcome> {
  // The call ended during validation, so the handler must not start.
  if (context.hasStopped) return { kind: 'cancelled' };
  try {
    const returned = tool.handler(new HandlerArgument(input, context));
    if (!isPromiseLike(returned)) return checkOutput(tool, returned);
    // The only place that observes the promise, so that a late rejection cannot end the process.
    return Promise.resolve(returned).then(
      (value) => checkOutput(tool, value),
      (error: unknown) => toFailure(error, tool, context),
    );
  } catch (error) {
    return toFailure(error, tool, context);
  }
}

function toFailure(error: unknown, tool: CompiledTool, { dialogue, rawArguments }: CallContext): Outcome {
  // Not a failure: the client must be asked first.
  if (dialogue?.isPending === true) return { kind: 'input-required' };
  return fromHandlerError(error, tool, rawArguments);
}
