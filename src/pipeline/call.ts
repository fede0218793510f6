/** Who is calling, as the authentication in front of us found out. */
export interface Principal {
  /** Stable and unique; rate limits and caches are kept by it. */
  readonly id: string;
  readonly scopes?: readonly string[];
  /** Whatever else is known, for example the claims of a token. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** How far a call has come. */
export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

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
