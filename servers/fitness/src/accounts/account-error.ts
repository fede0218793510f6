export type AccountErrorCode = 'invalid_input' | 'not_found' | 'conflict' | 'forbidden';

/** A mistake in an administrative operation. The message can be shown to the person who asked for it. */
export class AccountError extends Error {
  readonly code: AccountErrorCode;

  constructor(code: AccountErrorCode, message: string) {
    super(message);
    this.name = 'AccountError';
    this.code = code;
  }
}
