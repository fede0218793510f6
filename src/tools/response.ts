import { createError, createSuccess } from '../format/tool-response.ts';
import type { ErrorResponse, SuccessResponse, TextFormat } from '../format/tool-response.ts';

/** Options of {@link success}. */
export interface SuccessOptions {
  /** The text the model reads, instead of the value written out. */
  readonly text?: string;
  readonly format?: TextFormat;
  /** Metadata of the result (`_meta`). */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * A result with a say in how it is sent.
 *
 * @example
 * return success({ id: 7 }, { text: 'Created note 7.' });
 */
export function success<TValue>(value: TValue, options: SuccessOptions = {}): SuccessResponse<TValue> {
  return createSuccess({ value, ...options });
}

/**
 * A result written as TOON, which costs fewer tokens than JSON for lists of like objects.
 *
 * @example
 * return toonSuccess([{ id: 1, title: 'Buy milk' }, { id: 2, title: 'Call Ada' }]);
 */
export function toonSuccess<TValue>(value: TValue): SuccessResponse<TValue> {
  return createSuccess({ value, format: 'toon' });
}

/**
 * A failure the caller should read, as a value. Throwing a `ToolError` does the same.
 *
 * @example
 * return error('No note has the id 7.', ['Call list_notes to see the ids.']);
 */
export function error(message: string, suggestions: readonly string[] = []): ErrorResponse {
  return createError({ message, suggestions });
}

/**
 * The failure that an argument is missing which the schema cannot require, because it depends on others.
 *
 * @example
 * if (input.format === 'csv' && input.separator === undefined) return required('separator');
 */
export function required(field: string): ErrorResponse {
  return createError({
    message: `The argument "${field}" is required.`,
    suggestions: [`Call again with "${field}".`],
  });
}
