import type { ErrorCode } from '../errors/codes.ts';
import { ToolwrightError } from '../errors/errors.ts';

/** Codes of {@link ModelError}. */
export type ModelErrorCode = Extract<ErrorCode, 'DUPLICATE_NAME' | 'GROUP_CYCLE' | 'NOT_A_PARENT'>;

/** A change that would make the model inconsistent. Thrown before anything is changed. */
export class ModelError extends ToolwrightError {
  static override readonly name: string = 'ModelError';
  declare readonly code: ModelErrorCode;

  // oxlint-disable-next-line no-useless-constructor -- narrows which codes a model error can have.
  constructor(code: ModelErrorCode, message: string) {
    super(code, message);
  }
}
