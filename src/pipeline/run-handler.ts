import { isPromiseLike } from '../base/maybe-promise.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { HandlerArgument } from '../middleware/handler-argument.ts';
import type { CallContext } from './context/call-context.ts';
import { checkOutput } from './check-output.ts';
import { fromHandlerError } from './tool/thrown-issues.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';
import type { Outcome } from './tool/outcome.ts';

/** Runs the handler and checks what it returns. Whatever it throws, now or later, becomes a value. */
export function runHandler(tool: CompiledTool, input: unknown, context: CallContext): MaybePromise<Outcome> {
  // The caller was answered while the arguments were still being checked: nothing may be done for it any more.
  if (context.hasStopped) return { kind: 'cancelled' };
  try {
    const returned = tool.handler(new HandlerArgument(input, context));
    if (!isPromiseLike(returned)) return checkOutput(tool, returned);
    // A promise is observed here and nowhere else, so a late rejection can never end the process.
    return Promise.resolve(returned).then(
      (value) => checkOutput(tool, value),
      (error: unknown) => toFailure(error, tool, context),
    );
  } catch (error) {
    return toFailure(error, tool, context);
  }
}

function toFailure(error: unknown, tool: CompiledTool, { dialogue, rawArguments }: CallContext): Outcome {
  // No failure: the client has to be asked first.
  if (dialogue?.isPending === true) return { kind: 'input-required' };
  return fromHandlerError(error, tool, rawArguments);
}
