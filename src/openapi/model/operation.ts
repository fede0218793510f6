/** The model of an operation, independent of the OpenAPI version. Everything after the reader uses only this model. */

/** An object of a document; its members are unknown until checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A part of a document and the file it is in, which is the base of its references. */
export interface Located<TValue = unknown> {
  readonly value: TValue;
  /** URI of the file, without a fragment. */
  readonly base: string;
}

/** Location of a parameter. `querystring` (OpenAPI 3.2) is the whole query. */
export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie' | 'querystring';

/** Serialization style of arrays and objects. `tabDelimited` is Swagger 2.0's `tsv`; `multi` is `form` with `explode`. */
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

/** Serialization of one value. */
export interface ValueStyle {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /** Whether reserved characters such as `/` and `?` are not encoded. */
  readonly allowReserved: boolean;
  /** Delimiters of nested arrays, from the outside in: Swagger 2.0 defines them on the items. */
  readonly innerDelimiters?: readonly string[];
}

/** A parameter, with the defaults of its location filled in. */
export interface Parameter extends ValueStyle {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** Media type that the value is serialized as, such as `application/json`, instead of by its style. */
  readonly contentType: string | undefined;
  readonly schema: Located | undefined;
  readonly example: unknown;
  /** Path parameters: whether a value may be several segments, by `x-multi-segment: true` or `{name+}` in the path. */
  readonly spansSegments: boolean;
}

/** Encoding of one property of a form. */
export interface PropertyEncoding {
  /** Content type of a part of a multipart body. */
  readonly contentType: string | undefined;
  /** Undefined if the document defines none of style, explode and allowReserved: then no style applies. */
  readonly style: ValueStyle | undefined;
  /** Further headers of a part with fixed values (a `const`, `default` or single `enum` of the header's schema). */
  readonly headers: Readonly<Record<string, string>>;
}

/** One media type of a request body. */
export interface BodyContent {
  /** As in the document, such as `application/json; charset=utf-8`. */
  readonly mediaType: string;
  readonly schema: Located | undefined;
  readonly encoding: Readonly<Record<string, PropertyEncoding>>;
  readonly example: unknown;
}

/** Request body of an operation. */
export interface RequestBody {
  readonly description: string | undefined;
  readonly required: boolean;
  /** In the order of the document; never empty. */
  readonly contents: readonly BodyContent[];
}

/** A documented response of an operation. */
export interface OperationResponse {
  /** `200`, `2XX` or `default`. */
  readonly status: string;
  readonly description: string | undefined;
  /** Names of its headers, in lower case. */
  readonly headers: readonly string[];
  readonly contents: readonly BodyContent[];
}

/** A server of the API. */
export interface OperationServer {
  /** URL with `{variables}`; may be relative. */
  readonly url: string;
  readonly description: string | undefined;
  readonly variables: Readonly<Record<string, ServerVariable>>;
}

/** A variable in the URL of a server. */
export interface ServerVariable {
  readonly default: string | undefined;
  readonly enum: readonly string[] | undefined;
}

/** One security requirement: all of these schemes together, each with its required scopes. Empty: no authentication. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** One operation of a document. */
export interface Operation {
  /** Method and path, such as `GET /pets/{id}`: identifies the operation in the document and in messages. */
  readonly key: string;
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path with `{names}`, as in the document. */
  readonly path: string;
  readonly operationId: string | undefined;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
  /** Parameters of the path and of the operation, in that order; the operation's win. */
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly responses: readonly OperationResponse[];
  /** Statuses of the responses, without reading these: `200`, `2XX`, `default`. */
  readonly statuses: readonly string[];
  /** Servers of the operation, else of the path, else of the document. */
  readonly servers: readonly OperationServer[];
  /** Alternative requirements of the operation, else of the document. Undefined: the document has none. */
  readonly security: readonly SecurityRequirement[] | undefined;
  /** `x-…` members of the operation, over those of its path. */
  readonly extensions: JsonObject;
}
