import type { OtherKind } from '../errors/component-kind.ts';
import type { Logger } from '../errors/logger.ts';
import type { CacheHelpers } from '../stores/cache-helpers.ts';
import type { CallerState, HandleOptions } from '../stores/state/caller-state.ts';
import type {
  Ask,
  ClientDescription,
  McpLogLevel,
  ModelAnswer,
  ModelQuestion,
  Root,
  UrlAnswer,
  UrlQuestion,
} from './dialogue.ts';

/** The authenticated caller. */
export interface Principal {
  /** Stable and unique id; the key of rate limits and caches. */
  readonly id: string;
  /** Granted scopes. */
  readonly scopes?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
  /** The organization that the principal belongs to. */
  readonly tenant?: string | undefined;
  /** Further data, for example the claims of a token. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Progress of a call. */
export interface ProgressUpdate {
  /** The current value; it must increase with each update. */
  readonly progress: number;
  /** The final value, if known. */
  readonly total?: number;
  /** A message for the user. */
  readonly message?: string;
}

/** The HTTP request of a call. */
export interface HttpContext {
  /** The HTTP method. */
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Headers without credentials: `authorization`, `proxy-authorization`, `cookie` and `x-api-key` are removed. */
  readonly headers: Headers;
  /** The platform's request object with all headers: of `node:http`, Express, or a web-standard `Request`. */
  readonly request: unknown;
  /** The second argument of the handler, such as the `env` of a Worker or the context of Hono. */
  readonly host: unknown;
}

/** The type of a value after a JSON round trip: a `Date` becomes a string. */
export type AsJson<TValue> = unknown extends TValue
  ? TValue
  : TValue extends { toJSON(): infer TJson }
    ? AsJson<TJson>
    : TValue extends object
      ? { [TKey in keyof TValue]: AsJson<TValue[TKey]> }
      : TValue;

/** The standard members of a handler's context. */
export interface StandardContext {
  /** The canonical name: `add` for a tool, `platform.users.create` for an action; with its prefix if mounted. */
  readonly name: string;
  /** The action of a grouped tool, such as `users.create`; undefined for other tools. */
  readonly action: string | undefined;
  /** The operation label of the tool's security settings. Default: the tool's name. */
  readonly operation: string;
  /** The access token of the caller, if any. With `auth` over HTTP: the token that was verified. */
  readonly accessToken: string | undefined;
  /** The authenticated caller; undefined for an anonymous caller. */
  readonly principal: Principal | undefined;
  /** The received arguments, before defaults and validation. */
  readonly rawArguments: Readonly<Record<string, unknown>>;
  /** Aborts when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
  /** Sends progress to the caller. Does nothing if the caller did not request progress. */
  readonly progress: (progress: number | ProgressUpdate, total?: number, message?: string) => Promise<void>;
  /** The server's log. */
  readonly log: Logger;
  /** The server's cache. */
  readonly cache: CacheHelpers;
  /**
   * Values of this caller between calls, at this server. For an anonymous caller over stdio or in memory they last as long as its
   * connection; for one over HTTP every method rejects with `ANONYMOUS_CALLER`.
   */
  readonly state: CallerState;
  /** Stores a value as JSON and returns an unguessable id, which the model can pass to later calls. Other callers cannot read it. */
  readonly createHandle: (value: unknown, options?: HandleOptions) => Promise<string>;
  /** Returns the value of a handle; undefined if it is unknown, has expired, or belongs to another caller. */
  readonly readHandle: <TValue>(handle: string) => Promise<TValue | undefined>;
  /** The id of the request, chosen by the client; undefined for a call without a transport. */
  readonly requestId: string | number | undefined;
  /** The HTTP request of the call; undefined on other transports. */
  readonly http: HttpContext | undefined;
  /** The client, as it describes itself. */
  readonly client: ClientDescription;
  /** W3C trace context of the request, if the client sent one. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly baggage: string | undefined;
  /**
   * Asks the user (elicitation). The name identifies the question within the call. Depending on the protocol revision, the handler waits
   * for the response, or runs again from its start with the response: wrap side effects that must run once in {@link StandardContext.step}.
   */
  readonly ask: Ask;
  /** Asks the user to open a URL. */
  readonly askUrl: (name: string, question: UrlQuestion) => Promise<UrlAnswer>;
  /** Asks the client's model (sampling). */
  readonly askModel: (name: string, question: ModelQuestion) => Promise<ModelAnswer>;
  /** Requests the roots of the client: the folders and files it works in. */
  readonly askRoots: (name: string) => Promise<readonly Root[]>;
  /** Runs a function once per call, even if the handler runs again: its result is stored as JSON. */
  readonly step: <TValue>(name: string, run: () => TValue | Promise<TValue>) => Promise<AsJson<TValue>>;
  /**
   * For tools with `task: { start: 'handler' }`: continues the call as a task and notifies the client. Does nothing if the call already is
   * a task or cannot become one.
   */
  readonly startTask: () => Promise<void>;
  /** Sends a log message to the client, if the client enabled this level. */
  readonly sendLog: (level: McpLogLevel, data: unknown, logger?: string) => Promise<void>;
  /** Lets the client disconnect and resume later for the result, if the protocol supports it (2025-11-25 over HTTP). */
  readonly releaseStream: () => void;
}

/** The reserved names: adding a member with one of these names is a compile error that shows the name. */
export type Reserved = { readonly [TName in keyof StandardContext]?: ReservedName<TName> };

/** A type without values. Not `never`: the compiler error would only say "never". */
interface ReservedName<TName> {
  readonly 'is taken by Toolwright; choose another name': TName;
}

/** The context of a handler: the standard members and those of the registry's context. */
export type ToolContext<TContext extends object = object> = StandardContext & TContext;

/** Description of a tool, action, prompt or resource for policies and middleware. Frozen. */
export interface PolicySubject {
  /** Set for prompts and resources. */
  readonly kind?: OtherKind;
  /** The canonical name: `add`, or `platform.users.create` for an action; for a resource its URI or URI template. */
  readonly name: string;
  /** Name of the tool, or of the grouped tool of an action; for a prompt or resource its name. */
  readonly tool: string;
  /** Value of the discriminator for an action; undefined for a single tool. */
  readonly action: string | undefined;
  /** Tags of the definition, and of its groups. */
  readonly tags: readonly string[];
  /** Scopes that the caller needs, all of them. */
  readonly scopes: readonly string[];
  readonly category: string | undefined;
  readonly namespace: string;
  readonly operation: string;
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean;
  /** Whether it may delete or overwrite data. */
  readonly isDestructive: boolean;
  /** Whether repeating a call has no further effect. */
  readonly isIdempotent: boolean;
  /** Set for tools of the framework, such as those of the search exposure. */
  readonly isOwn?: true;
  /** Dot paths of secret arguments. */
  readonly secrets?: readonly string[];
  /** Set while a preview runs: nothing is changed. */
  readonly isPreview?: true;
}
