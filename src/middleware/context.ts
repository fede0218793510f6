import type { Logger } from '../errors/logger.ts';
import type { CacheHelpers } from '../stores/cache-helpers.ts';

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

/** What every handler finds in its context. */
export interface StandardContext {
  /** The canonical name: of a tool its name, of an action `platform.users.create`; with its prefix, where it is mounted. */
  readonly name: string;
  /** Of an action of a grouped tool: what the discriminator said, such as `users.create`. */
  readonly action: string | undefined;
  /** The operation label of the tool's security settings; the tool's name unless given. */
  readonly operation: string;
  readonly accessToken: string | undefined;
  readonly principal: Principal | undefined;
  /** The arguments as they came, before defaults and validation. */
  readonly rawArguments: Readonly<Record<string, unknown>>;
  /** Aborts when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
  /** Tells the caller how far the call has come. Does nothing when the caller did not ask. */
  readonly progress: (progress: number | ProgressUpdate, total?: number, message?: string) => Promise<void>;
  readonly log: Logger;
  readonly cache: CacheHelpers;
}

/** The context of a handler: the standard members and what the registry was built for. */
export type ToolContext<TContext extends object = object> = StandardContext & TContext;

/** What policies and middleware know of a tool or of one action of a grouped tool. Frozen. */
export interface PolicySubject {
  /** The canonical name: `add`, or `platform.users.create` for an action. */
  readonly name: string;
  /** The tool it belongs to: its own name, or that of the grouped tool. */
  readonly tool: string;
  /** What the discriminator says for it; undefined for a single tool. */
  readonly action: string | undefined;
  readonly tags: readonly string[];
  /** What a caller must have been granted, all of it. */
  readonly scopes: readonly string[];
  readonly category: string | undefined;
  readonly namespace: string;
  readonly operation: string;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  readonly isIdempotent: boolean;
  /** Set for tools of the framework itself, such as those of the search exposure. */
  readonly isOwn?: true;
  /** Dot paths of arguments that must not be shown. */
  readonly secrets?: readonly string[];
  /** Set while a preview runs: nothing is done, only shown. */
  readonly isPreview?: true;
}
