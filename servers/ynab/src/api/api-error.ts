/** An error response of the API. The status and the name decide what the caller is told; the detail is for people and is never searched. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** `error.name` of the response, such as `resource_not_found`. */
  readonly errorName: string;
  readonly detail: string;
  readonly retryAfterMs: number | undefined;

  constructor(response: { status: number; headers: Headers; body: unknown }) {
    const { errorName, detail } = readError(response.body);
    super(`The budget API responded with ${response.status} ${errorName}: ${detail}`);
    this.status = response.status;
    this.errorName = errorName;
    this.detail = detail;
    this.retryAfterMs = readRetryAfter(response.headers);
  }
}

function readError(body: unknown): { errorName: string; detail: string } {
  const error = (body as { error?: unknown } | null | undefined)?.error;
  const { name, detail } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  return {
    errorName: typeof name === 'string' ? name : 'unknown',
    detail: typeof detail === 'string' ? detail : 'no detail',
  };
}

/** `Retry-After` in seconds; the API does not send dates. */
function readRetryAfter(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}
