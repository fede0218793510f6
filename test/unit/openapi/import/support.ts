import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect } from 'vitest';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import type { OpenApiImport, OpenApiOptions, OperationReport } from '../../../../src/openapi.ts';
import type { AnyToolDefinition } from '../../../../src/index.ts';

export type Json = Record<string, unknown>;

/** A document with defaults for everything that a test does not set. */
export function aDocument(given: Json = {}): Json {
  const version = 'swagger' in given ? {} : { openapi: '3.0.3' };
  return { ...version, info: { title: 'Pets', version: '1.2.3' }, paths: {}, ...given };
}

/** A document with one operation. */
export function withOperation(operation: Json, given: Json = {}, [method, path] = ['get', '/pets']): Json {
  return aDocument({ paths: { [path ?? '']: { [method ?? '']: operation } }, ...given });
}

/** A document with one operation whose JSON body has this schema. */
export function withBody(schema: unknown, schemas: Json = {}, openapi = '3.0.3'): Json {
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  return withOperation({ requestBody }, { openapi, components: { schemas } }, ['post', '/pets']);
}

export const BASE = { baseUrl: 'https://api.example' } as const;

export function importOf(document: unknown, options: OpenApiOptions = {}): Promise<OpenApiImport> {
  return fromOpenAPI(document as never, { ...BASE, ...options });
}

/** The tools of a document, by name. */
export async function toolsOf(
  document: unknown,
  options: OpenApiOptions = {},
): Promise<ReadonlyMap<string, AnyToolDefinition>> {
  const { tools } = await importOf(document, options);
  return new Map(tools.map((tool) => [(tool as AnyToolDefinition).name, tool as AnyToolDefinition]));
}

/** The only tool of a document. */
export async function toolOf(document: unknown, options: OpenApiOptions = {}): Promise<AnyToolDefinition> {
  const [tool, ...others] = (await toolsOf(document, options)).values();
  if (tool === undefined || others.length > 0) throw new Error('there should be one tool');
  return tool;
}

/** The advertised schema of a tool, which must be valid. */
export function inputOf({ inputSchema }: AnyToolDefinition): Json {
  const schema = (inputSchema as { '~standard': { jsonSchema: { input(): Json } } })[
    '~standard'
  ].jsonSchema.input();
  expectValid(schema);
  return schema;
}

export function outputOf({ outputSchema }: AnyToolDefinition): Json | undefined {
  const schema = (outputSchema as { '~standard': { jsonSchema: { output(): Json } } } | undefined)?.[
    '~standard'
  ].jsonSchema.output();
  if (schema !== undefined) expectValid(schema);
  return schema;
}

/** The input schema of the only tool of a document. */
export async function schemaOf(document: unknown, options: OpenApiOptions = {}): Promise<Json> {
  return inputOf(await toolOf(document, options));
}

/** The report of one operation. */
export async function reportOf(
  document: unknown,
  options: OpenApiOptions = {},
  key = 'POST /pets',
): Promise<OperationReport> {
  const { report } = await importOf(document, options);
  const found = report.operations.find((operation) => operation.key === key);
  if (found === undefined) throw new Error(`there is no ${key}`);
  return found;
}

/** The issues of a value, as texts. */
export async function check({ inputSchema }: AnyToolDefinition, value: Json): Promise<readonly string[]> {
  const standard = (inputSchema as { '~standard': { validate(value: unknown): unknown } })['~standard'];
  const { issues = [] } = (await standard.validate(value)) as {
    issues?: readonly { path?: readonly unknown[]; message: string }[];
  };
  return issues.map(({ path = [], message }) => `${path.map(String).join('.')} ${message}`);
}

/** Checks an advertised schema: an object at the root, valid, without external or broken references. */
export function expectValid(schema: Json): void {
  expect(schema['type']).toBe('object');
  const ajv = new Ajv2020({ strict: false, logger: false });
  ajv.compile(JSON.parse(JSON.stringify(schema)) as object);
  expect(findBadReferences(schema)).toEqual([]);
}

/** Data, not schemas. */
const DATA = new Set(['default', 'enum', 'const', 'examples', 'required', 'dependentRequired', 'type']);
const NAMES = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);

function findBadReferences(root: Json): string[] {
  const definitions = (root['$defs'] ?? {}) as Json;
  const bad: string[] = [];
  const visit = (value: unknown, areNames: boolean): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, false);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        if (areNames) visit(member, false);
        else if (key === '$ref') {
          const name = String(member).replace('#/$defs/', '');
          if (!String(member).startsWith('#/$defs/') || !Object.hasOwn(definitions, name))
            bad.push(String(member));
        } else if (['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$schema'].includes(key))
          bad.push(key);
        else if (!DATA.has(key)) visit(member, NAMES.has(key));
      }
    }
  };
  visit(root, false);
  return bad;
}

/** A request to an API. */
export interface Arrived {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Api {
  readonly url: string;
  readonly arrived: Arrived[];
  /** The response to all following requests. */
  answer: { status?: number; headers?: Record<string, string>; body?: string | Buffer };
  /** Options for an import that calls it. */
  readonly options: OpenApiOptions;
}

/** An API that records requests, for the tests of one file. */
export function useApi(): Api {
  const arrived: Arrived[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      arrived.push({ line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString('latin1') });
      const { status = 200, headers: sent, body = '{"ok":true}' } = api.answer;
      response.writeHead(status, { 'content-type': 'application/json', ...sent }).end(body);
    });
  });
  const api = {
    url: '',
    arrived,
    answer: {} as Api['answer'],
    get options(): OpenApiOptions {
      return { baseUrl: api.url, outbound: { allowPrivate: ['127.0.0.1'] } };
    },
  };
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    api.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return api;
}
