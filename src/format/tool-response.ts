/** How a value is written as text. */
export type TextFormat = 'json' | 'toon' | 'markdown';

const responseBrand: unique symbol = Symbol.for('toolwright.response');

/** A value with a say in how it is sent: made by `success` and `toonSuccess`. */
export interface SuccessResponse<TValue = unknown> {
  readonly [responseBrand]: 'success';
  readonly value: TValue;
  /** The text the model reads, instead of the value written out. */
  readonly text?: string;
  readonly format?: TextFormat;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A failure the caller should read: made by `error` and `required`. */
export interface ErrorResponse {
  readonly [responseBrand]: 'error';
  readonly message: string;
  readonly suggestions: readonly string[];
}

/** What the response helpers return. */
export type ToolResponse<TValue = unknown> = SuccessResponse<TValue> | ErrorResponse;

/** Marks a value as a success with options. */
export function createSuccess<TValue>(
  parts: Omit<SuccessResponse<TValue>, typeof responseBrand>,
): SuccessResponse<TValue> {
  return { [responseBrand]: 'success', ...parts };
}

/** Marks a message as a failure. */
export function createError(parts: Omit<ErrorResponse, typeof responseBrand>): ErrorResponse {
  return { [responseBrand]: 'error', ...parts };
}

/** Whether a handler's value was made by a response helper, and by which kind. */
export function responseKind(value: unknown): 'success' | 'error' | undefined {
  if (typeof value !== 'object' || value === null || !(responseBrand in value)) return undefined;
  return (value as ToolResponse)[responseBrand];
}
