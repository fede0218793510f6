import { ToolwrightError } from '../../errors/errors.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { responseKind } from '../../format/tool-response.ts';
import { Passed } from '../passed.ts';

/** Outcome of a call: a value, a failure reported as a value, or a thrown error. */
export type CallOutcome = 'ok' | 'error' | 'thrown';

/** Runs the rest of the chain and reports the outcome. Results and errors pass unchanged. */
export async function watch(
  next: () => Promise<Passed>,
  onEnd: (outcome: CallOutcome, thrown: unknown) => void,
): Promise<Passed> {
  let passed: Passed;
  try {
    passed = await next();
  } catch (error) {
    onEnd('thrown', error);
    throw error;
  }
  onEnd(outcomeOf(passed), undefined);
  return passed;
}

/** Whether the handler reported a failure. A value that cannot be inspected cannot be sent either, so it counts as one. */
export function outcomeOf(passed: Passed): 'ok' | 'error' {
  try {
    return asPassed(passed)?.isError === true ? 'error' : 'ok';
  } catch {
    return 'error';
  }
}

/**
 * The value of `next()`. Middleware in JavaScript may return the value of `success` directly, which is wrapped, or nothing, which the chain
 * rejects.
 */
export function asPassed(returned: unknown): Passed | undefined {
  if (returned instanceof Passed) return returned;
  return responseKind(returned) === undefined ? undefined : new Passed(returned);
}

/** The error code for a thrown value. */
export function codeOf(thrown: unknown): ErrorCode {
  try {
    return thrown instanceof ToolwrightError ? thrown.code : 'TOOL_FAILED';
  } catch {
    // Inspecting a thrown value may throw, for example if it is a proxy.
    return 'TOOL_FAILED';
  }
}
