/**
 * Types of the Model Context Protocol.
 *
 * Declared here so that the package needs no schema library; type tests compare them with
 * `@modelcontextprotocol/core`.
 */

/** Any value that `JSON.stringify` preserves. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Protocol metadata (`_meta`). */
export type McpMeta = Record<string, unknown>;

/** An icon that clients may show. */
export interface McpIcon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** The audience of content, or the author of a message. */
export type McpRole = 'user' | 'assistant';

/** Annotations of content and resources: audience, priority, last modification. */
export interface McpAnnotations {
  audience?: McpRole[];
  priority?: number;
  lastModified?: string;
}

/** Annotations of a tool. `returnDirect` is not in the protocol; some clients support it. */
export interface McpToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
  returnDirect?: boolean;
}

/** A JSON Schema as it is sent to clients. */
export type McpJsonSchema = { [key: string]: unknown };

/** The input schema of a tool; its root is always an object. */
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

/** A group with everything below it. The protocol has no groups; this is the format of `McpGroupConverter`. */
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

/** Text content. */
export interface McpTextContent {
  type: 'text';
  text: string;
  annotations?: McpAnnotations;
  _meta?: McpMeta;
}

/** An image, encoded as base64. */
export interface McpImageContent {
  type: 'image';
  data: string;
  mimeType: string;
  annotations?: McpAnnotations;
  _meta?: McpMeta;
}

/** Audio, encoded as base64. */
export interface McpAudioContent {
  type: 'audio';
  data: string;
  mimeType: string;
  annotations?: McpAnnotations;
  _meta?: McpMeta;
}

/** The contents of a resource: text, or bytes encoded as base64. */
export type McpResourceContents =
  | { uri: string; mimeType?: string; text: string; _meta?: McpMeta }
  | { uri: string; mimeType?: string; blob: string; _meta?: McpMeta };

/** A resource embedded in a result. */
export interface McpEmbeddedResource {
  type: 'resource';
  resource: McpResourceContents;
  annotations?: McpAnnotations;
  _meta?: McpMeta;
}

/** A link to a resource that the client may read. */
export interface McpResourceLink extends McpResource {
  type: 'resource_link';
}

/** One content block of a result. */
export type McpContentBlock =
  | McpTextContent
  | McpImageContent
  | McpAudioContent
  | McpResourceLink
  | McpEmbeddedResource;

/**
 * Result of `tools/call`. A type and not an interface: the SDK's result has an index signature, and an interface is
 * never assignable to that.
 */
export type McpCallToolResult = {
  content: McpContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: McpMeta;
};

/** A request to the client, such as `elicitation/create`, as the protocol defines it. */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
}

/** One message of a prompt. */
export interface McpPromptMessage {
  role: McpRole;
  content: McpContentBlock;
}

/** Result of `prompts/get`. A type, as {@link McpCallToolResult} is. */
export type McpGetPromptResult = {
  description?: string;
  messages: McpPromptMessage[];
  _meta?: McpMeta;
};

/** Result of `resources/read`. A type, as {@link McpCallToolResult} is. */
export type McpReadResourceResult = {
  contents: McpResourceContents[];
  _meta?: McpMeta;
};

/** Completions of a value, in the result of `completion/complete`. A type, as {@link McpCallToolResult} is. */
export type McpCompletion = {
  /** Suggested values, at most 100. */
  values: string[];
  /** Total number of completions, including those that are not in `values`. */
  total?: number;
  hasMore?: boolean;
};
