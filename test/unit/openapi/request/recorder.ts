import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { OutboundClient } from '../../../../src/outbound/outbound-client.ts';
import type { BodyContent, Parameter, PropertyEncoding } from '../../../../src/openapi/model/operation.ts';
import { compileRequest } from '../../../../src/openapi/request/compile-request.ts';
import type { BuildRequest } from '../../../../src/openapi/request/compile-request.ts';
import type {
  PlannedBody,
  PlannedContent,
  PlannedParameter,
  PlannedProperty,
  RequestPlan,
} from '../../../../src/openapi/request/request-plan.ts';

/** A raw request. */
export interface Recorded {
  readonly line: string;
  /** Each header as often as it was sent, with its original name. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface Recorder {
  /** Builds a request, sends it, and returns the request that the server received. */
  send(
    plan: RequestPlan,
    input: Record<string, unknown>,
    options?: { readonly baseUrl?: string; readonly readFile?: Parameters<BuildRequest>[1] },
  ): Promise<Recorded>;
  /** Number of requests. */
  count(): number;
}

/** A server that records raw requests, for the tests of one file. */
export function useRecorder(): Recorder {
  const seen: Recorded[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, httpVersion, rawHeaders } = request;
      const headers = rawHeaders.flatMap((name, index) =>
        index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
      );
      seen.push({ line: `${method} ${url} HTTP/${httpVersion}`, headers, body: Buffer.concat(chunks) });
      response.end();
    });
  });
  const client = new OutboundClient({ allowPrivate: ['127.0.0.1'] });
  let origin = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    client.close();
    server.close();
    server.closeAllConnections();
  });
  return {
    async send(plan, input, { baseUrl = '', readFile } = {}) {
      const { body, ...request } = await compileRequest(plan, origin + baseUrl)(input, readFile);
      await client.send(body === undefined ? request : { ...request, body });
      const last = seen.at(-1);
      if (last === undefined) throw new Error('nothing arrived');
      return last;
    },
    count: () => seen.length,
  };
}

/** The part of a request line between the method and the version. */
export function targetOf({ line }: Recorded): string {
  return line.split(' ')[1] ?? '';
}

/** The value of a header; undefined if it was not sent. */
export function headerOf({ headers }: Recorded, name: string): string | undefined {
  const values = headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
  if (values.length > 1) throw new Error(`${name} was sent ${values.length} times`);
  return values[0];
}

const STYLES = {
  path: 'simple',
  header: 'simple',
  query: 'form',
  cookie: 'form',
  querystring: 'form',
} as const;

/** A parameter with the defaults of its location, whose argument has its name. */
export function parameter(
  place: Parameter['in'],
  name: string,
  members: Partial<Parameter> = {},
): PlannedParameter {
  const style = members.style ?? STYLES[place];
  return {
    argument: name,
    parameter: {
      name,
      in: place,
      style,
      explode: style === 'form' || style === 'cookie',
      allowReserved: false,
      description: undefined,
      required: place === 'path',
      deprecated: false,
      contentType: undefined,
      schema: undefined,
      example: undefined,
      spansSegments: false,
      ...members,
    },
  };
}

export function planOf(
  path: string,
  parameters: readonly PlannedParameter[] = [],
  method = 'GET',
): RequestPlan {
  return { key: `${method} ${path}`, method, path, parameters, body: undefined };
}

export function bodyPlan(...contents: readonly PlannedContent[]): RequestPlan {
  return withBody({ required: false, contents });
}

export function withBody(body: PlannedBody, method = 'POST'): RequestPlan {
  return { ...planOf('/x', [], method), body };
}

function contentOf(mediaType: string, encoding: Record<string, PropertyEncoding>): BodyContent {
  return { mediaType, schema: undefined, encoding, example: undefined };
}

/** A body that is one argument. */
export function whole(mediaType: string, argument = 'body', isFile = false): PlannedContent {
  return { content: contentOf(mediaType, {}), source: { kind: 'whole', argument }, isFile };
}

/** A body of properties: `name!` is required, `name@` is a file. */
export function properties(
  mediaType: string,
  names: readonly string[],
  encoding: Record<string, Partial<PropertyEncoding>> = {},
): PlannedContent {
  const planned: PlannedProperty[] = names.map((written) => {
    const property = written.replaceAll(/[!@]$/g, '');
    return { argument: property, property, required: written.endsWith('!'), isFile: written.endsWith('@') };
  });
  const encodings = Object.entries(encoding).map(
    ([name, members]) =>
      [name, { contentType: undefined, style: undefined, headers: {}, ...members }] as const,
  );
  return {
    content: contentOf(mediaType, Object.fromEntries(encodings)),
    source: { kind: 'properties', properties: planned },
    isFile: false,
  };
}
