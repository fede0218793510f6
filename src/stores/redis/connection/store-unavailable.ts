import { CallRefusedError } from '../../../errors/errors.ts';

/** The error of a store without a fallback: its call is rejected. */
export function storeUnavailable(what: string, cause: unknown): CallRefusedError {
  return new CallRefusedError('BUSY', `The store of ${what} is not available. Try again later.`, { cause });
}
