import type { Principal, ProgressUpdate } from '../middleware/context.ts';

/** One call of a tool, decoded. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: unknown;
  readonly accessToken?: string | undefined;
  readonly principal?: Principal | undefined;
  /** Wins over the minify hints in the arguments. */
  readonly minifyOverride?: boolean | undefined;
  /** Aborting it cancels the call. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((update: ProgressUpdate) => void | Promise<void>) | undefined;
  /** What the registry's context type asks for beyond the standard members. */
  readonly context?: object | undefined;
}
