import { ToolwrightError } from './errors.ts';

/**
 * Whether an error concerns only the call that threw it: the call was cancelled, or needs input from its client. For other calls that wait
 * for the same result, it is not a failure.
 */
export function endsOneCall(error: unknown): boolean {
  try {
    if (error instanceof ToolwrightError) return error.code === 'CANCELLED' || error.code === 'INPUT_PENDING';
    return error instanceof Error && error.name === 'AbortError';
  } catch {
    // Inspecting a thrown value may throw, for example if it is a proxy.
    return false;
  }
}
