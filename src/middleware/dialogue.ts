import type { MaybePromise } from '../base/maybe-promise.ts';
import type { InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type {
  InputRequest,
  McpAudioContent,
  McpImageContent,
  McpMeta,
  McpTextContent,
} from '../model/mcp-types.ts';

export type { InputRequest } from '../model/mcp-types.ts';

/** Level of a log message to the client. */
export type McpLogLevel =
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency';

/** Capabilities that a client declares. */
export interface ClientCapabilities {
  readonly elicitation?: { readonly form?: object; readonly url?: object };
  readonly sampling?: { readonly tools?: object; readonly context?: object };
  readonly roots?: { readonly listChanged?: boolean };
  readonly extensions?: Readonly<Record<string, object>>;
  readonly experimental?: Readonly<Record<string, object>>;
  readonly [name: string]: unknown;
}

/** The client, as it describes itself. Not verified. */
export interface ClientDescription {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly capabilities: ClientCapabilities;
  /** The protocol revision; undefined for calls in this process. */
  readonly protocolVersion: string | undefined;
}

/** A form for the user. */
export interface FormQuestion<TSchema extends Schema = Schema> {
  readonly message: string;
  /** An object schema with fields of primitive types: string, number, boolean or enum. Clients support no nested fields. */
  readonly schema: TSchema;
}

/** A URL that the user is asked to open. */
export interface UrlQuestion {
  readonly message: string;
  readonly url: string;
}

/** The user's response to a form. */
export type Answer<TContent> =
  | { readonly action: 'accept'; readonly content: TContent }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** The user's response to a URL: whether the user agreed to open it, not the outcome there. */
export interface UrlAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/** A message to or from the client's model. */
export interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly content:
    | McpTextContent
    | McpImageContent
    | McpAudioContent
    | readonly (McpTextContent | McpImageContent | McpAudioContent)[];
}

/** A sampling request to the client's model. */
export interface ModelQuestion {
  readonly messages: readonly SamplingMessage[];
  /** Maximum number of tokens of the response. */
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: {
    readonly hints?: readonly { readonly name?: string }[];
    readonly costPriority?: number;
    readonly speedPriority?: number;
    readonly intelligencePriority?: number;
  };
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The response of the client's model. */
export interface ModelAnswer {
  readonly role: 'user' | 'assistant';
  readonly content: SamplingMessage['content'];
  readonly model: string;
  readonly stopReason?: string;
  readonly _meta?: McpMeta;
}

/** A folder or file that the client works in. */
export interface Root {
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: McpMeta;
}

/** Asks the user to fill in a form. */
export type Ask = <TSchema extends Schema>(
  name: string,
  question: FormQuestion<TSchema>,
) => Promise<Answer<InferSchemaOutput<TSchema>>>;

/** A request to the client. */
export interface Question {
  readonly request: InputRequest;
  /** Capabilities that the client must have declared. */
  readonly needs: Readonly<Record<string, unknown>>;
  /** Validates and parses the response; undefined if the client must be asked again. */
  readonly read: (result: unknown) => MaybePromise<{ readonly value: unknown } | undefined>;
}

/** Requests and notifications from a running call to its client. Implemented per protocol revision. */
export interface Dialogue {
  readonly client: ClientDescription;
  /** Sends a request. Rejects with `InputPendingError` if the response can only come with another request. */
  put(name: string, question: Question): Promise<unknown>;
  /** Whether a request waits for a response that only another request can bring. */
  readonly isPending: boolean;
  /** Whether the client was asked anything: results of such calls are not shared. */
  readonly hasAsked: boolean;
  /** The recorded result of a step, from an earlier run of the call. */
  recall(step: string): { readonly value: unknown } | undefined;
  /** Records the result of a step for later runs of the call. */
  remember(step: string, value: unknown): void;
  /** Continues the call as a task, if possible. */
  startTask(): MaybePromise<void>;
  /** Sends a log message to the client, if it enabled this level. */
  sendLog(level: McpLogLevel, data: unknown, logger: string | undefined): MaybePromise<void>;
  /** Lets the client disconnect and resume later for the result, if the protocol supports it. */
  releaseStream(): void;
}
