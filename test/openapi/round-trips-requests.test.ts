import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REQUEST_CASES, SWAGGER_CASES } from './cases/all-cases.ts';
import { ConnectedApi } from './support/connected-api.ts';
import { readFormFields, readRawParts } from './support/read-request.ts';
import type { FormField } from './support/read-request.ts';
import { decodeParameter } from './support/decode-parameter.ts';
import { asTexts, toServerParameter } from './support/server-parameters.ts';
import { headerOf } from './support/recording-server.ts';
import type { RecordedRequest } from './support/recording-server.ts';
import {
  argumentsOf,
  casesOf,
  methodOf,
  operationIdOf,
  toDocument,
  toSwagger,
} from './support/request-case.ts';
import type { ExpectedPart, GivenValues, JsonDocument, RequestCase } from './support/request-case.ts';

const BASE = '/base';

function describeCases(title: string, cases: readonly RequestCase[], document: JsonDocument): void {
  describe(title, () => {
    let connected: ConnectedApi;
    beforeAll(async () => {
      connected = await ConnectedApi.open((origin) => ({ document, openapi: { baseUrl: origin + BASE } }));
    });
    afterAll(() => connected.close());

    test('every operation is a tool', () => {
      const [report] = connected.server.reports;
      expect(report?.operations.filter(({ outcome }) => outcome !== 'tool')).toEqual([]);
      expect(report?.operations.length).toBe(cases.length);
    });

    test.for(cases.map((each) => [each.name, each] as const))('%s', async ([, each]) => {
      const request = await connected.send(operationIdOf(each), argumentsOf(each));
      await expectArrived(request, each);
      expectDecoded(request, each);
    });
  });
}

async function expectArrived(request: RecordedRequest, expected: RequestCase): Promise<void> {
  expect(`${request.method} ${request.target}`).toBe(
    `${methodOf(expected).toUpperCase()} ${BASE}${expected.target}`,
  );
  for (const [name, value] of Object.entries(expected.headers ?? {}))
    expect(headerOf(request, name), name).toBe(value);
  if (expected.headers?.['cookie'] === undefined) expect(headerOf(request, 'cookie')).toBeUndefined();
  const { body } = expected;
  if (body === undefined) {
    expect(request.body.toString()).toBe('');
    expect(headerOf(request, 'content-type')).toBeUndefined();
  } else if ('text' in body) expect(request.body.toString()).toBe(body.text);
  else if ('base64' in body) expect(request.body.toString('base64')).toBe(body.base64);
  else await expectParts(request, body.parts);
}

async function expectParts(request: RecordedRequest, parts: readonly ExpectedPart[]): Promise<void> {
  expect(
    readRawParts(request).map(({ headers, body }) => ({ headers, body: body.toString('base64') })),
  ).toEqual(parts.map((part) => ({ headers: headersOf(part), body: base64Of(part) })));
  expect(await readFormFields(request)).toEqual(parts.map(toField));
}

function headersOf({ name, file, type, headers }: ExpectedPart): Record<string, string> {
  const filename = file === undefined ? '' : `; filename="${file.name}"`;
  return {
    'content-disposition': `form-data; name="${name}"${filename}`,
    ...(type === undefined ? {} : { 'content-type': type }),
    ...headers,
  };
}

function base64Of({ text = '', file }: ExpectedPart): string {
  return file?.base64 ?? Buffer.from(text).toString('base64');
}

/** A part as a server parses it: file names are decoded. */
function toField({ name, text = '', file, type = '' }: ExpectedPart): FormField {
  return file === undefined
    ? [name, text]
    : [name, { name: file.name.replaceAll('%22', '"'), type, base64: file.base64 }];
}

/** The decoded values equal the given ones. */
function expectDecoded(
  request: RecordedRequest,
  { given, parameters = [], path, headers, body }: RequestCase,
): void {
  for (const each of parameters) {
    const { isJson, ...parameter } = toServerParameter(each);
    const place = (parameter.in === 'querystring' ? 'query' : parameter.in) as keyof GivenValues;
    const values = given[place] as Readonly<Record<string, unknown>> | undefined;
    // A default that is sent automatically is checked in the request line.
    if (values?.[each.name] === undefined || place === 'body') continue;
    const decoded = decodeParameter({ ...parameter, isJson }, request, BASE + path);
    expect(decoded, each.name).toEqual(isJson ? values[each.name] : asTexts(values[each.name]));
  }
  if (headers?.['content-type']?.includes('json') && body !== undefined && !path.includes('lines'))
    expect(JSON.parse(request.body.toString())).toEqual(given.body);
}

for (const version of ['3.0', '3.1', '3.2'] as const)
  describeCases(`OpenAPI ${version}`, casesOf(version, REQUEST_CASES), toDocument(version, REQUEST_CASES));

describeCases('Swagger 2.0', SWAGGER_CASES, toSwagger(SWAGGER_CASES));
