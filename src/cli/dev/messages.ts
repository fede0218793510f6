import type { TransportConfig } from '../../config/file/config-types.ts';
import type { ClientDescription, McpLogLevel } from '../../middleware/dialogue.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { ServerEvent } from '../../stores/event-bus.ts';
import type { RpcRequest } from '../../wire/messages/json-rpc.ts';
import type { ServerDescription } from '../../wire/served/introduction.ts';
import type { ServerLimits } from '../../wire/served/served.ts';
import type { ErrorReport } from './error-report.ts';

/** The state of a session, as it is sent to the worker. */
export interface SentSession {
  readonly logLevel: McpLogLevel;
  readonly subscriptions: readonly string[];
}

/** Changes of a session by one request. Only the changes are sent back, because requests run concurrently. */
export interface SessionChange {
  readonly logLevel: McpLogLevel | undefined;
  readonly subscribed: readonly string[];
  readonly unsubscribed: readonly string[];
}

/** A header, as it is sent to the worker. */
export interface SentHeader {
  readonly name: string;
  readonly value: string;
  readonly isRepeated: boolean;
}

/** The HTTP request for `context.http`. */
export interface SentHttp {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** A request with all data that its response may depend on. */
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
  /** Headers that carry arguments, over HTTP. */
  readonly headers: readonly SentHeader[] | undefined;
  /** The HTTP request, without the objects that cannot be sent to another process. */
  readonly http: SentHttp | undefined;
  /** Whether the server may send requests to the client. */
  readonly canAsk: boolean;
}

/** Messages from the process with the connections to the worker. */
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
  /** Asks whether a task exists. */
  | { readonly type: 'find-task'; readonly key: number; readonly taskId: string; readonly owner: string }
  | { readonly type: 'close'; readonly drainMs: number };

/** The description of a server for the process with the connections. */
export interface ServerSketch {
  readonly info: ServerDescription;
  readonly instructions: string | undefined;
  readonly limits: ServerLimits;
  /** The kinds of entries that the server has. */
  readonly kinds: readonly Kind[];
  /** URIs of resources. */
  readonly uris: readonly string[];
  readonly uriTemplates: readonly string[];
  readonly transport: TransportConfig | undefined;
  /** Lines about its OpenAPI documents. */
  readonly remarks: readonly string[];
}

export const KINDS = ['tools', 'prompts', 'resources'] as const;

export type Kind = (typeof KINDS)[number];

export function isKind(value: string): value is Kind {
  return (KINDS as readonly string[]).includes(value);
}

/** Messages from the worker to the process with the connections. */
export type FromWorker =
  | { readonly type: 'ready'; readonly sketch: ServerSketch }
  /** The server has changed at run time. */
  | { readonly type: 'changed'; readonly sketch: ServerSketch }
  | { readonly type: 'failed'; readonly message: string }
  /** Files that the server has loaded. */
  | { readonly type: 'files'; readonly files: readonly string[] }
  | { readonly type: 'event'; readonly event: ServerEvent }
  /** A handler threw an unexpected error. */
  | { readonly type: 'thrown'; readonly report: ErrorReport }
  /** A notification that belongs to a request. */
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
