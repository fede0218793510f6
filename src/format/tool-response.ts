/** Text format of a result. */
export type TextFormat = 'json' | 'toon' | 'markdown';

const responseBrand: unique symbol = Symbol.for('toolwright.response');

/** A value with its text, format or metadata, created by `success` and `toonSuccess`. */
export interface SuccessResponse<TValue = unknown> {
  readonly [responseBrand]: 'success';
  readonly value: TValue;
  /** Text for the model. Default: the serialized value. */
  readonly text?: string;
  readonly format?: TextFormat;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** An error that the caller sees, created by `error` and `required`. */
export interface ErrorResponse {
  readonly [responseBrand]: 'error';
  readonly message: string;
  readonly suggestions: readonly string[];
}

/** Return type of the response helpers. */
export type ToolResponse<TValue = unknown> = SuccessResponse<TValue> | ErrorResponse;

/** Creates a success with options. */
export function createSuccess<TValue>(
  parts: Omit<SuccessResponse<TValue>, typeof responseBrand>,
): SuccessResponse<TValue> {
  return { [responseBrand]: 'success', ...parts };
}

/** Creates an error. */
export function createError(parts: Omit<ErrorResponse, typeof responseBrand>): ErrorResponse {
  return { [responseBrand]: 'error', ...parts };
}

/** The kind of a value that a response helper created; undefined for other values. */
export function responseKind(value: unknown): 'success' | 'error' | undefined {
  if (typeof value !== 'object' || value === null || !(responseBrand in value)) return undefined;
  return (value as ToolResponse)[responseBrand];
}
