/** Reason why a provider gives no data. */
export type ProviderFailure =
  /** The user has not connected the provider, or has withdrawn the permission. */
  | 'not-connected'
  /** The operator has not configured the provider, or not correctly. */
  | 'not-configured'
  /** A rate limit of the provider is used up; `retryAt` is the time of the next request. */
  | 'rate-limited'
  /** The user or the provider refused the permission. */
  | 'refused'
  /** The provider cannot be reached, or failed. */
  | 'unavailable'
  /** The provider responded with data that is not as documented. */
  | 'invalid-response';

/** An expected failure of a provider. Its message may be shown to the caller: it has no token, key or secret. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: string;
  readonly failure: ProviderFailure;
  /** Unix time in milliseconds. */
  readonly retryAt: number | undefined;

  constructor(
    provider: string,
    message: string,
    options: ErrorOptions & { readonly failure: ProviderFailure; readonly retryAt?: number },
  ) {
    super(message, options);
    this.provider = provider;
    this.failure = options.failure;
    this.retryAt = options.retryAt;
  }
}
