import { ToolwrightError } from '../../errors/errors.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { responseKind } from '../../format/tool-response.ts';
import { Passed } from '../passed.ts';

/** How a call ended: with a value, with a failure reported as a value, or with something thrown. */
export type CallOutcome = 'ok' | 'error' | 'thrown';

/** Goes on and tells how it ended. The result and what was thrown pass unchanged. */
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

/** Whether the handler reported a failure. A value that cannot even be looked at cannot be sent either. */
export function outcomeOf(passed: Passed): 'ok' | 'error' {
  try {
    return asPassed(passed)?.isError === true ? 'error' : 'ok';
  } catch {
    return 'error';
  }
}

/**
 * What `next()` gave, as the compiler promises it. Middleware in JavaScript may have returned what `success` made, or nothing at
 * all: the first is a result like any other, the second is left to the chain, which refuses it.
 */
export function asPassed(returned: unknown): Passed | undefined {
  if (returned instanceof Passed) return returned;
  return responseKind(returned) === undefined ? undefined : new Passed(returned);
}

/** The code under which a thrown value is answered. */
export function codeOf(thrown: unknown): ErrorCode {
  try {
    return thrown instanceof ToolwrightError ? thrown.code : 'TOOL_FAILED';
  } catch {
    // A thrown value may throw itself when it is looked at: a proxy.
    return 'TOOL_FAILED';
  }
}
