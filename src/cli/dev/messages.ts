import type { AuthSource } from '../../config/auth/auth-source.ts';
import type { TransportConfig } from '../../config/file/config-types.ts';
import type { Principal } from '../../middleware/context.ts';
import type { ClientDescription, McpLogLevel } from '../../middleware/dialogue.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { ServerEvent } from '../../stores/event-bus.ts';
import type { RpcRequest } from '../../wire/messages/json-rpc.ts';
import type { ServerDescription } from '../../wire/served/introduction.ts';
import type { ServerLimits } from '../../wire/served/served.ts';
import type { ErrorReport } from './error-report.ts';

/** What a client has set up for itself, as it is sent from one process to the other. */
export interface SentSession {
  readonly logLevel: McpLogLevel;
  readonly subscriptions: readonly string[];
}

/** What a request has changed of it. Not the whole: another request may have changed it meanwhile. */
export interface SessionChange {
  readonly logLevel: McpLogLevel | undefined;
  readonly subscribed: readonly string[];
  readonly unsubscribed: readonly string[];
}

/** A header, as it is sent from one process to the other. */
export interface SentHeader {
  readonly name: string;
  readonly value: string;
  readonly isRepeated: boolean;
}

/** An HTTP request as handlers see it. */
export interface SentHttp {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** A request with all that its answer may depend on. */
export interface SentRequest {
  readonly type: 'request';
  readonly key: number;
  readonly request: RpcRequest;
  /** The revision of the protocol in use. */
  readonly version: string;
  readonly caller: Caller;
  readonly client: ClientDescription;
  readonly logLevel: McpLogLevel | undefined;
  readonly session: SentSession | undefined;
  /** The headers that arguments travel as, where it came with some. */
  readonly headers: readonly SentHeader[] | undefined;
  /** The HTTP request that it came with, but for what only the process has that received it. */
  readonly http: SentHttp | undefined;
  /** Whether the client can be asked something. */
  readonly canAsk: boolean;
}

/** What the process that keeps the connections tells the one that has the server. */
export type ToWorker =
  | SentRequest
  | { readonly type: 'cancel'; readonly key: number; readonly reason: string }
  | {
      readonly type: 'answer';
      readonly key: number;
      readonly question: number;
      readonly result?: unknown;
      readonly failure?: string;
    }
  /** Whether there is such a task. */
  | { readonly type: 'find-task'; readonly key: number; readonly taskId: string; readonly owner: string }
  | { readonly type: 'close'; readonly drainMs: number };

/** A server as the process that keeps the connections has to know it. */
export interface ServerSketch {
  readonly info: ServerDescription;
  readonly instructions: string | undefined;
  readonly limits: ServerLimits;
  /** What there is of tools, prompts and resources. */
  readonly kinds: readonly Kind[];
  /** The URIs of resources, and those of templates. */
  readonly uris: readonly string[];
  readonly uriTemplates: readonly string[];
  readonly transport: TransportConfig | undefined;
  /** Authentication over HTTP, as data: the process that keeps the connections verifies. */
  readonly auth?: AuthSource | undefined;
  /** The caller over standard input and output. */
  readonly principal?: Principal | undefined;
  /** What there is to say of its OpenAPI documents. */
  readonly remarks: readonly string[];
}

export const KINDS = ['tools', 'prompts', 'resources'] as const;

export type Kind = (typeof KINDS)[number];

export function isKind(value: string): value is Kind {
  return (KINDS as readonly string[]).includes(value);
}

/** The other way round. */
export type FromWorker =
  | { readonly type: 'ready'; readonly sketch: ServerSketch }
  /** It has become another one, while it ran. */
  | { readonly type: 'changed'; readonly sketch: ServerSketch }
  | { readonly type: 'failed'; readonly message: string }
  /** What the server is made of. */
  | { readonly type: 'files'; readonly files: readonly string[] }
  | { readonly type: 'event'; readonly event: ServerEvent }
  /** A handler threw something. */
  | { readonly type: 'thrown'; readonly report: ErrorReport }
  /** A message that belongs to a request. */
  | { readonly type: 'message'; readonly key: number; readonly text: string }
  | {
      readonly type: 'ask';
      readonly key: number;
      readonly question: number;
      readonly method: string;
      readonly params: object;
    }
  | { readonly type: 'release'; readonly key: number }
  | { readonly type: 'found-task'; readonly key: number; readonly isThere: boolean }
  | {
      readonly type: 'end';
      readonly key: number;
      readonly text: string;
      readonly status: number;
      readonly change: SessionChange | undefined;
    };
