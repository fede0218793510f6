import type { OtherKind } from '../errors/component-kind.ts';
import type { Logger } from '../errors/logger.ts';
import type { CacheHelpers } from '../stores/cache-helpers.ts';
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

/** Who is calling, as the authentication in front of us found out. */
export interface Principal {
  /** Stable and unique; rate limits and caches are kept by it. */
  readonly id: string;
  readonly scopes?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
  /** The organization that the principal belongs to. */
  readonly tenant?: string | undefined;
  /** Whatever else is known, for example the claims of a token. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** How far a call has come. */
export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The HTTP request that a call came with. */
export interface HttpContext {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Without credentials: `authorization`, `proxy-authorization`, `cookie` and `x-api-key` are left out. */
  readonly headers: Headers;
  /** The request as the platform knows it, with all its headers: that of `node:http` or Express, or a web-standard one. */
  readonly request: unknown;
  /** What the application gave to the handler beside the request, such as the `env` of a Worker or the context of Hono. */
  readonly host: unknown;
}

/** A value as it comes back from JSON: a `Date` is a string then. */
export type AsJson<TValue> = unknown extends TValue
  ? TValue
  : TValue extends { toJSON(): infer TJson }
    ? AsJson<TJson>
    : TValue extends object
      ? { [TKey in keyof TValue]: AsJson<TValue[TKey]> }
      : TValue;

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
  /** The server's own log. */
  readonly log: Logger;
  readonly cache: CacheHelpers;
  /** The id of the request, chosen by the client; undefined for a call that did not come over a transport. */
  readonly requestId: string | number | undefined;
  /** The HTTP request that the call came with; undefined on other transports. */
  readonly http: HttpContext | undefined;
  /** The program that calls, as it describes itself. */
  readonly client: ClientDescription;
  /** W3C trace context of the request, where the client sent one. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly baggage: string | undefined;
  /**
   * Asks the user. The name tells questions of one call apart. Depending on the protocol the handler waits for the answer, or is run
   * again from its beginning once the answer is there: put what must not happen twice into {@link StandardContext.step}.
   */
  readonly ask: Ask;
  /** Asks the user to visit a page. */
  readonly askUrl: (name: string, question: UrlQuestion) => Promise<UrlAnswer>;
  /** Asks the client's model. */
  readonly askModel: (name: string, question: ModelQuestion) => Promise<ModelAnswer>;
  /** Asks which folders and files the client works in. */
  readonly askRoots: (name: string) => Promise<readonly Root[]>;
  /** Does something once, however often the handler is run: what it gave is remembered, as JSON. */
  readonly step: <TValue>(name: string, run: () => TValue | Promise<TValue>) => Promise<AsJson<TValue>>;
  /**
   * Of a tool with `task: { start: 'handler' }`: from here on the call runs as a task, and the client is told so. Does nothing where the
   * call is a task already, or cannot be one.
   */
  readonly startTask: () => Promise<void>;
  /** Sends a message to the client's log, if the client wants messages of this level. */
  readonly sendLog: (level: McpLogLevel, data: unknown, logger?: string) => Promise<void>;
  /** Lets the client hang up and come back for the result, where the protocol has that (2025-11-25 over HTTP). */
  readonly releaseStream: () => void;
}

/** The names of the standard members, which nothing may replace: another member of one of these names is a compile error that names it. */
export type Reserved = { readonly [TName in keyof StandardContext]?: ReservedName<TName> };

/** Nothing has this type. Not `never`: of an object with such a member the compiler would say nothing but "never". */
interface ReservedName<TName> {
  readonly 'is taken by Toolwright; choose another name': TName;
}

/** The context of a handler: the standard members and what the registry was built for. */
export type ToolContext<TContext extends object = object> = StandardContext & TContext;

/** What policies and middleware know of a tool, of one action of a grouped tool, of a prompt or of a resource. Frozen. */
export interface PolicySubject {
  /** Set for what is not a tool. */
  readonly kind?: OtherKind;
  /** The canonical name: `add`, or `platform.users.create` for an action. Of a resource its URI or URI template. */
  readonly name: string;
  /** The tool it belongs to: its own name, or that of the grouped tool. Of a prompt or a resource its name. */
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
