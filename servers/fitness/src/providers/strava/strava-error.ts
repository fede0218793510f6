import { ProviderError } from '../provider-error.ts';
import type { ProviderFailure } from '../provider-error.ts';

export function stravaError(
  failure: ProviderFailure,
  message: string,
  options: ErrorOptions & { readonly retryAt?: number } = {},
): ProviderError {
  return new ProviderError('strava', message, { ...options, failure });
}
