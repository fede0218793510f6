import type { BodyContent, Parameter } from '../model/operation.ts';

/** Mapping of the arguments of a tool to a request. Created once per operation. */
export interface RequestPlan {
  /** Method and path for messages, such as `GET /pets/{id}`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly PlannedParameter[];
  readonly body: PlannedBody | undefined;
}

/** A parameter and its argument. */
export interface PlannedParameter {
  readonly argument: string;
  readonly parameter: Parameter;
  /** Path parameters: whether a value may contain slashes. Default: `true`. */
  readonly allowSlashes?: boolean;
}

/** A body and its arguments. */
export interface PlannedBody {
  readonly required: boolean;
  /** Media types that can be sent, the preferred one first. */
  readonly contents: readonly PlannedContent[];
}

/** One media type that can be sent. */
export interface PlannedContent {
  readonly content: BodyContent;
  /** Either one argument is the whole body, or each property has an argument. */
  readonly source:
    | { readonly kind: 'whole'; readonly argument: string }
    | { readonly kind: 'properties'; readonly properties: readonly PlannedProperty[] };
  /** Whether the body itself is a file: `application/octet-stream` and so on. */
  readonly isFile: boolean;
}

/** One property of a body and its argument. */
export interface PlannedProperty {
  readonly argument: string;
  readonly property: string;
  readonly required: boolean;
  /** Whether the property is a file or an array of files: a part of a multipart body. */
  readonly isFile: boolean;
}

/** Content read from the URI of a file argument. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly mimeType?: string | undefined;
  readonly name?: string | undefined;
}

/** A request without its credentials. */
export interface BuiltRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}
