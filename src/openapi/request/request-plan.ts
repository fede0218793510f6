import type { BodyContent, Parameter } from '../model/operation.ts';

/** How the arguments of a tool become a request. Made once for each operation. */
export interface RequestPlan {
  /** `GET /pets/{id}`, for messages. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly PlannedParameter[];
  readonly body: PlannedBody | undefined;
}

/** A parameter, and the argument that it is filled from. */
export interface PlannedParameter {
  readonly argument: string;
  readonly parameter: Parameter;
  /** Of the path: whether a value may have slashes. Default: true. */
  readonly allowSlashes?: boolean;
}

/** A body, and the arguments that it is filled from. */
export interface PlannedBody {
  readonly required: boolean;
  /** Those that can be sent, the preferred one first. */
  readonly contents: readonly PlannedContent[];
}

/** One media type that can be sent. */
export interface PlannedContent {
  readonly content: BodyContent;
  /** Either one argument is the whole body, or each property of it has an argument. */
  readonly source:
    | { readonly kind: 'whole'; readonly argument: string }
    | { readonly kind: 'properties'; readonly properties: readonly PlannedProperty[] };
  /** Whether the body itself is bytes, given as a file: `application/octet-stream` and the like. */
  readonly isFile: boolean;
}

/** One property of a body, and its argument. */
export interface PlannedProperty {
  readonly argument: string;
  readonly property: string;
  readonly required: boolean;
  /** Bytes, given as a file (or a list of files): a part of a multipart body. */
  readonly isFile: boolean;
}

/** What was read from the URI of a file argument. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly mimeType?: string | undefined;
  readonly name?: string | undefined;
}

/** Everything of a request but its credentials. */
export interface BuiltRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}
