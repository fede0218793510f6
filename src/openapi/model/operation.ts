/** One way of calling an API, read from a document of any version. Everything behind the reader works on these alone. */

/** An object of a document; its members are unknown until somebody looks at them. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A part of a document, and the file that it stands in: what references in it start from. */
export interface Located<TValue = unknown> {
  readonly value: TValue;
  /** The URI of the file, without a fragment. */
  readonly base: string;
}

/** Where a parameter goes. `querystring` (OpenAPI 3.2) is the whole query. */
export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie' | 'querystring';

/** How a list or an object is written in a parameter. `tabDelimited` is Swagger 2.0's `tsv`; `multi` is `form` with `explode`. */
export type ParameterStyle =
  | 'matrix'
  | 'label'
  | 'simple'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'tabDelimited'
  | 'deepObject'
  | 'cookie';

/** How one value is written. */
export interface ValueStyle {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /** Characters such as `/` and `?` stay as they are. */
  readonly allowReserved: boolean;
  /** What joins lists within a list, from the outside in: Swagger 2.0 says it of their items. */
  readonly innerDelimiters?: readonly string[];
}

/** A parameter, with the defaults of its location filled in. */
export interface Parameter extends ValueStyle {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** Written as a document of this media type, such as `application/json`, instead of by its style. */
  readonly contentType: string | undefined;
  readonly schema: Located | undefined;
  readonly example: unknown;
  /** Of the path: whether a value may be several segments, by `x-multi-segment: true` or as `{name+}` in the path. */
  readonly spansSegments: boolean;
}

/** How one property of a form is written. */
export interface PropertyEncoding {
  /** Of a part of a multipart body. */
  readonly contentType: string | undefined;
  /** Undefined where the document says nothing of style, explode and allowReserved: then it is not written by a style at all. */
  readonly style: ValueStyle | undefined;
  /** Names of further headers of a part with fixed values (a `const`, `default` or single `enum` of the header's schema). */
  readonly headers: Readonly<Record<string, string>>;
}

/** One media type that a body can have. */
export interface BodyContent {
  /** As the document writes it, such as `application/json; charset=utf-8`. */
  readonly mediaType: string;
  readonly schema: Located | undefined;
  readonly encoding: Readonly<Record<string, PropertyEncoding>>;
  readonly example: unknown;
}

/** What a request carries. */
export interface RequestBody {
  readonly description: string | undefined;
  readonly required: boolean;
  /** In the order of the document; never empty. */
  readonly contents: readonly BodyContent[];
}

/** What the API may answer. */
export interface OperationResponse {
  /** `200`, `2XX` or `default`. */
  readonly status: string;
  readonly description: string | undefined;
  /** The names of its headers, in small letters. */
  readonly headers: readonly string[];
  readonly contents: readonly BodyContent[];
}

/** Where the API is. */
export interface OperationServer {
  /** With `{variables}` in it; may be relative. */
  readonly url: string;
  readonly description: string | undefined;
  readonly variables: Readonly<Record<string, ServerVariable>>;
}

/** A part of a server's address that can be chosen. */
export interface ServerVariable {
  readonly default: string | undefined;
  readonly enum: readonly string[] | undefined;
}

/** One way of being allowed: all of these schemes together, each with the scopes it needs. Empty: nobody has to prove anything. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** One operation of a document. */
export interface Operation {
  /** `GET /pets/{id}`: says which one it is, in the document and in messages. */
  readonly key: string;
  /** In capital letters. */
  readonly method: string;
  /** With `{names}` in it, as the document writes it. */
  readonly path: string;
  readonly operationId: string | undefined;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
  /** Those of the path and of the operation, in that order; the operation's win. */
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly responses: readonly OperationResponse[];
  /** The statuses of these, for those who do not have to read them: `200`, `2XX`, `default`. */
  readonly statuses: readonly string[];
  /** Those of the operation, else of the path, else of the document. */
  readonly servers: readonly OperationServer[];
  /** Alternatives, of the operation, else of the document. Undefined: the document says nothing. */
  readonly security: readonly SecurityRequirement[] | undefined;
  /** `x-…` members of the operation, over those of its path. */
  readonly extensions: JsonObject;
}
