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

/** How serious a message to the client is. */
export type McpLogLevel =
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency';

/** What a client has declared that it can do. */
export interface ClientCapabilities {
  readonly elicitation?: { readonly form?: object; readonly url?: object };
  readonly sampling?: { readonly tools?: object; readonly context?: object };
  readonly roots?: { readonly listChanged?: boolean };
  readonly extensions?: Readonly<Record<string, object>>;
  readonly experimental?: Readonly<Record<string, object>>;
  readonly [name: string]: unknown;
}

/** The program at the other end, as it describes itself. Nothing of it is verified. */
export interface ClientDescription {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly capabilities: ClientCapabilities;
  /** The revision of the protocol in use; undefined for calls in this process. */
  readonly protocolVersion: string | undefined;
}

/** What a user is asked to fill in. */
export interface FormQuestion<TSchema extends Schema = Schema> {
  readonly message: string;
  /** An object of plain fields: texts, numbers, booleans, choices. Nothing nested; that is what clients can show. */
  readonly schema: TSchema;
}

/** A page that a user is asked to visit. */
export interface UrlQuestion {
  readonly message: string;
  readonly url: string;
}

/** What came of a question to the user. */
export type Answer<TContent> =
  | { readonly action: 'accept'; readonly content: TContent }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** What came of sending the user to a page: whether the user agreed to go there, not what happened there. */
export interface UrlAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/** One message to or from the client's model. */
export interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly content:
    | McpTextContent
    | McpImageContent
    | McpAudioContent
    | readonly (McpTextContent | McpImageContent | McpAudioContent)[];
}

/** What the client's model is asked. */
export interface ModelQuestion {
  readonly messages: readonly SamplingMessage[];
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

/** What the client's model said. */
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

/** Asks a user to fill in a form. */
export type Ask = <TSchema extends Schema>(
  name: string,
  question: FormQuestion<TSchema>,
) => Promise<Answer<InferSchemaOutput<TSchema>>>;

/** A question on its way to the client. */
export interface Question {
  readonly request: InputRequest;
  /** What the client must have declared. */
  readonly needs: Readonly<Record<string, unknown>>;
  /** The answer, if it is one; undefined when the client has to be asked again. */
  readonly read: (result: unknown) => MaybePromise<{ readonly value: unknown } | undefined>;
}

/** How a call talks to its client while it runs. What each revision of the protocol makes of it is the business of the wire. */
export interface Dialogue {
  readonly client: ClientDescription;
  /** Puts a question. Rejects with `InputPendingError` where the answer can only come with another request. */
  put(name: string, question: Question): Promise<unknown>;
  /** Whether a question is open that only another request can answer. */
  readonly isPending: boolean;
  /** Whether anything was asked: what comes of such a call belongs to it alone. */
  readonly hasAsked: boolean;
  /** What a step gave when the call ran before. */
  recall(step: string): { readonly value: unknown } | undefined;
  /** Keeps what a step gave for when the call runs again. */
  remember(step: string, value: unknown): void;
  /** Goes on as a task, where that is possible. */
  startTask(): MaybePromise<void>;
  /** Sends a message to the client's log, if it wants messages of this level. */
  sendLog(level: McpLogLevel, data: unknown, logger: string | undefined): MaybePromise<void>;
  /** Lets the client hang up and come back for the result, where the protocol has that. */
  releaseStream(): void;
}
