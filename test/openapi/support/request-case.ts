/** One operation of a document of cases, its arguments, and the expected request. */
export interface RequestCase {
  readonly name: string;
  /** Default: `get`, or `post` with a body. */
  readonly method?: string;
  /** A unique path. */
  readonly path: string;
  /** Parameter objects of OpenAPI 3, or of Swagger 2.0. */
  readonly parameters?: readonly ParameterObject[];
  /** Media type objects of the body, by media type (OpenAPI 3). */
  readonly content?: Readonly<Record<string, object>>;
  /** Swagger 2.0. */
  readonly consumes?: readonly string[];
  /** Only for documents of this version. */
  readonly only?: '3.1' | '3.2';
  /** Values by location and name of the document; files as {@link GivenFile}. */
  readonly given: GivenValues;
  /** The arguments of our tool, if they differ from the given values. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The expected request target, without the base path. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ExpectedBody;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly [member: string]: unknown;
}

export interface GivenValues {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly cookie?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A file among given values. */
export class GivenFile {
  readonly base64: string;
  readonly name: string;
  readonly mimeType: string;

  constructor(base64: string, name: string, mimeType: string) {
    this.base64 = base64;
    this.name = name;
    this.mimeType = mimeType;
  }
}

/** The expected body: its text, or its parts. */
export type ExpectedBody =
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly parts: readonly ExpectedPart[] };

export interface ExpectedPart {
  readonly name: string;
  readonly text?: string;
  readonly file?: { readonly name: string; readonly base64: string };
  /** The `Content-Type` of the part; undefined if it has none. */
  readonly type?: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A document, as an object. */
export type JsonDocument = Readonly<Record<string, unknown>>;

/** The arguments of our tool for a case. */
export function argumentsOf({ args, given }: RequestCase): Readonly<Record<string, unknown>> {
  if (args !== undefined) return args;
  const { path, query, header, cookie, body } = given;
  const isSpread = typeof body === 'object' && body !== null && !Array.isArray(body);
  const whole = body === undefined ? {} : { body };
  return { ...path, ...query, ...header, ...cookie, ...(isSpread ? body : whole) };
}

/** The `operationId` of a case: `get_query_form`. */
export function operationIdOf({ path }: RequestCase): string {
  return path
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .join('_');
}

/** Identifies the tool of a case in any list, whatever its name. */
function summaryOf(given: RequestCase): string {
  return `Case ${operationIdOf(given)}.`;
}

/** A document with all cases that its version supports. */
export function toDocument(version: '3.0' | '3.1' | '3.2', cases: readonly RequestCase[]): JsonDocument {
  const full = { '3.0': '3.0.4', '3.1': '3.1.1', '3.2': '3.2.0' }[version];
  return {
    openapi: full,
    info: { title: `Cases of ${version}`, version: '1' },
    servers: [{ url: 'http://api.invalid' }],
    paths: Object.fromEntries(casesOf(version, cases).map((each) => [each.path, toPathItem(each)])),
  };
}

/** The cases that a version supports. */
export function casesOf(
  version: '3.0' | '3.1' | '3.2',
  cases: readonly RequestCase[],
): readonly RequestCase[] {
  return cases.filter(({ only = version }) => only <= version);
}

function toPathItem(given: RequestCase): object {
  const { parameters = [], content } = given;
  return {
    [methodOf(given)]: {
      operationId: operationIdOf(given),
      summary: summaryOf(given),
      parameters: parameters.map((each) => (each.in === 'path' ? { ...each, required: true } : each)),
      ...(content === undefined ? {} : { requestBody: { required: true, content } }),
      responses: { 200: { description: 'It arrived' } },
    },
  };
}

/** The method of a case, as documents write it. */
export function methodOf({ method, content, given }: RequestCase): string {
  return method ?? (content === undefined && given.body === undefined ? 'get' : 'post');
}

/** The same for Swagger 2.0, with the parameters of that version. */
export function toSwagger(cases: readonly RequestCase[]): JsonDocument {
  return {
    swagger: '2.0',
    info: { title: 'Cases of 2.0', version: '1' },
    host: 'api.invalid',
    schemes: ['http'],
    paths: Object.fromEntries(
      cases.map((each) => [
        each.path,
        {
          [methodOf(each)]: {
            operationId: operationIdOf(each),
            summary: summaryOf(each),
            parameters: each.parameters ?? [],
            ...(each.consumes === undefined ? {} : { consumes: each.consumes }),
            responses: { 200: { description: 'It arrived' } },
          },
        },
      ]),
    ),
  };
}
