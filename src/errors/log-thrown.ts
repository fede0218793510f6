import { describeThrown } from './describe-thrown.ts';
import type { ThrownDescription } from './describe-thrown.ts';
import { redactSecrets } from './sanitize.ts';

/** A thrown value as a log field, without credentials. `hide` removes those that are known and that no pattern matches. */
export function toLoggedError(
  thrown: unknown,
  hide: (text: string) => string = (text) => text,
): { readonly name: string; readonly message: string } {
  const { name, message } = describeThrown(thrown);
  return { name: redactSecrets(hide(name)), message: redactSecrets(hide(message)) };
}

/** The same with the stack, for errors of applications. */
export function toLoggedFailure(thrown: unknown): ThrownDescription {
  const { stack } = describeThrown(thrown);
  return { ...toLoggedError(thrown), ...(stack === undefined ? {} : { stack: redactSecrets(stack) }) };
}

/** The same as one text, for a terminal: programs of users throw errors with the addresses of databases. */
export function toShownFailure(thrown: unknown): string {
  const { stack, message } = toLoggedFailure(thrown);
  return stack ?? message;
}
