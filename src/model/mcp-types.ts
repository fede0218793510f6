/**
 * The shapes of the Model Context Protocol that the inner layers speak.
 *
 * Written out by us so that an install pulls in no schema library; type tests hold them against
 * `@modelcontextprotocol/core`.
 */

/** Any value that survives `JSON.stringify` unchanged. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Free-form protocol metadata (`_meta`). */
export type McpMeta = Record<string, unknown>;

/** An icon a client may show. */
export interface McpIcon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** Who a piece of content is meant for. */
export type McpRole = 'user' | 'assistant';

/** Hints on content and resources: for whom, how important, how fresh. */
export interface McpAnnotations {
  audience?: McpRole[];
  priority?: number;
  lastModified?: string;
}

/** Hints on a tool's behaviour. `returnDirect` is not in the protocol; clients that know it honour it. */
export interface McpToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
  returnDirect?: boolean;
}

/** A JSON Schema as it goes over the wire. */
export type McpJsonSchema = { [key: string]: unknown };

/** The input schema of a tool: its root is always an object. */
export type McpInputSchema = McpJsonSchema & { type: 'object' };

/** One entry of `tools/list`. */
export interface McpTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: McpInputSchema;
  outputSchema?: McpJsonSchema;
  annotations?: McpToolAnnotations;
  icons?: McpIcon[];
  _meta?: McpMeta;
}

/** One argument of a prompt. `icons` and `_meta` are not in the protocol; clients ignore them. */
export interface McpPromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
  icons?: McpIcon[];
  _meta?: McpMeta;
}

/** One entry of `prompts/list`. */
export interface McpPrompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: McpPromptArgument[];
  icons?: McpIcon[];
  _meta?: McpMeta;
}

/** One entry of `resources/list`. */
export interface McpResource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: McpAnnotations;
  icons?: McpIcon[];
  _meta?: McpMeta;
}

/** One entry of `resources/templates/list`. */
export interface McpResourceTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: McpAnnotations;
  icons?: McpIcon[];
  _meta?: McpMeta;
}

/** A group with all that is below it. The protocol has no groups; this is the shape we exchange them in. */
export interface McpGroup {
  name: string;
  title?: string;
  description?: string;
  separator?: string;
  icons?: McpIcon[];
  _meta?: McpMeta;
  groups?: McpGroup[];
  tools?: McpTool[];
  prompts?: McpPrompt[];
  resources?: McpResource[];
}

/** Text for the model or the user. */
export interface McpTextContent {
  type: 'text';
  text: string;
  annotations?: McpAnnotations;
  _meta?: McpMeta;
}

/** An image, base64-encoded. */
export interface McpImageContent {
  type: 'image';
  data: string;
  mimeType: string;
  annotations?: McpAnnotations;
  _meta?: McpMeta;
}

/** A sound, base64-encoded. */
export interface McpAudioContent {
  type: 'audio';
  data: string;
  mimeType: string;
  annotations?: McpAnnotations;
  _meta?: McpMeta;
}

/** The text or the bytes of a resource. */
export type McpResourceContents =
  | { uri: string; mimeType?: string; text: string; _meta?: McpMeta }
  | { uri: string; mimeType?: string; blob: string; _meta?: McpMeta };

/** A resource inside a result. */
export interface McpEmbeddedResource {
  type: 'resource';
  resource: McpResourceContents;
  annotations?: McpAnnotations;
  _meta?: McpMeta;
}

/** A pointer to a resource that the client may read. */
export interface McpResourceLink extends McpResource {
  type: 'resource_link';
}

/** One block of a tool's result. */
export type McpContentBlock =
  | McpTextContent
  | McpImageContent
  | McpAudioContent
  | McpResourceLink
  | McpEmbeddedResource;

/**
 * What `tools/call` answers. A type and not an interface: the SDK's result is open (it has an index signature),
 * and an interface is never assignable to that.
 */
export type McpCallToolResult = {
  content: McpContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: McpMeta;
};

/** A question to the client, in the words of the protocol. */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
}

/** One message of a prompt. */
export interface McpPromptMessage {
  role: McpRole;
  content: McpContentBlock;
}

/** What `prompts/get` answers. A type, as {@link McpCallToolResult} is. */
export type McpGetPromptResult = {
  description?: string;
  messages: McpPromptMessage[];
  _meta?: McpMeta;
};

/** What `resources/read` answers. A type, as {@link McpCallToolResult} is. */
export type McpReadResourceResult = {
  contents: McpResourceContents[];
  _meta?: McpMeta;
};

/** What a value may be completed to, in the answer to `completion/complete`. A type, as {@link McpCallToolResult} is. */
export type McpCompletion = {
  /** At most 100. */
  values: string[];
  /** How many there are, also those that are not in `values`. */
  total?: number;
  hasMore?: boolean;
};
