import { createError, createSuccess } from '../format/tool-response.ts';
import type { ErrorResponse, SuccessResponse, TextFormat } from '../format/tool-response.ts';

/** Options of {@link success}. */
export interface SuccessOptions {
  /** Text for the model. Default: the serialized value. */
  readonly text?: string;
  /** Text format of the value. Default: the setting of the registry's `responseFormatter`. */
  readonly format?: TextFormat;
  /** Metadata of the result (`_meta`). */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * Returns a value together with its text, format or metadata.
 *
 * @example
 * return success({ id: 7 }, { text: 'Created note 7.' });
 */
export function success<TValue>(value: TValue, options: SuccessOptions = {}): SuccessResponse<TValue> {
  return createSuccess({ value, ...options });
}

/**
 * Returns a value serialized as TOON, which takes fewer tokens than JSON for arrays of similar objects.
 *
 * @example
 * return toonSuccess([{ id: 1, title: 'Buy milk' }, { id: 2, title: 'Call Ada' }]);
 */
export function toonSuccess<TValue>(value: TValue): SuccessResponse<TValue> {
  return createSuccess({ value, format: 'toon' });
}

/**
 * Returns an error that the caller sees. Throwing a `ToolError` has the same effect.
 *
 * @example
 * return error('No note has the id 7.', ['Call list_notes to see the ids.']);
 */
export function error(message: string, suggestions: readonly string[] = []): ErrorResponse {
  return createError({ message, suggestions });
}

/**
 * Returns the error for a missing argument that the schema cannot require, because it depends on other arguments.
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
