import { ToolwrightError } from './errors.ts';

/**
 * Whether an error only concerns the call that it was thrown in: it was cancelled, or has to ask its client. For others that wait for the
 * same result it is not a failure.
 */
export function endsOneCall(error: unknown): boolean {
  try {
    if (error instanceof ToolwrightError) return error.code === 'CANCELLED' || error.code === 'INPUT_PENDING';
    return error instanceof Error && error.name === 'AbortError';
  } catch {
    // A thrown value may throw itself when it is looked at: a proxy.
    return false;
  }
}
