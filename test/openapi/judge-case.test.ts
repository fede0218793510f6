import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpTool } from '../../src/index.ts';
import { REQUEST_CASES, SWAGGER_CASES } from './cases/all-cases.ts';
import { attemptsFor } from './support/case-arguments.ts';
import { ConnectedApi } from './support/connected-api.ts';
import { meansTheSame } from './support/judge-case.ts';
import type { RecordedRequest } from './support/recording-server.ts';
import { casesOf, operationIdOf, toDocument, toSwagger } from './support/request-case.ts';
import type { JsonDocument, RequestCase } from './support/request-case.ts';

const BASE = '/base';

/** The judge of `bench/openapi` has to accept our arguments, and to distinguish right requests from wrong ones. */
describe.each([
  ['OpenAPI 3.1', casesOf('3.1', REQUEST_CASES), toDocument('3.1', REQUEST_CASES)],
  ['Swagger 2.0', SWAGGER_CASES, toSwagger(SWAGGER_CASES)],
] as const)('the judge of cases, %s', (_title, cases: readonly RequestCase[], document: JsonDocument) => {
  let connected: ConnectedApi;
  let tools: ReadonlyMap<string, McpTool>;
  beforeAll(async () => {
    connected = await ConnectedApi.open((origin) => ({ document, openapi: { baseUrl: origin + BASE } }));
    tools = new Map((await connected.client.listTools()).map((tool) => [tool.name, tool]));
  });
  afterAll(() => connected.close());

  async function callAll(each: RequestCase): Promise<readonly RecordedRequest[]> {
    const name = operationIdOf(each);
    const arrived: RecordedRequest[] = [];
    for (const args of attemptsFor(each, tools.get(name)?.inputSchema ?? {}))
      arrived.push(...(await connected.call(name, args)).requests);
    return arrived;
  }

  test('accepts what is right', async () => {
    const wrong: string[] = [];
    for (const each of cases) {
      const arrived = await callAll(each);
      const verdicts = await Promise.all(arrived.map((request) => meansTheSame(request, each, BASE)));
      if (!verdicts.includes(true)) wrong.push(each.name);
    }
    expect(wrong).toEqual([]);
  });

  test('refuses what is wrong', async () => {
    const accepted: string[] = [];
    for (const each of cases) {
      for (const request of await callAll(each))
        for (const [what, changed] of Object.entries(spoil(request)))
          if (await meansTheSame(changed, each, BASE)) accepted.push(`${each.name}: ${what}`);
    }
    expect(accepted).toEqual([]);
  });
});

/** The same request with a wrong value. */
function spoil(request: RecordedRequest): Readonly<Record<string, RecordedRequest>> {
  const { method, target, headers, body } = request;
  const [path = '', query] = target.split('?');
  const own = headers.filter(([name]) => /^(?:x-|id$|if-|api-|cookie|content-type)/i.test(name));
  return {
    method: { ...request, method: method === 'GET' ? 'POST' : 'GET' },
    path: { ...request, target: target.replace(path, `${path}x`) },
    ...(query === undefined ? {} : { query: { ...request, target: `${target}x` } }),
    // Arrays in the wrong style.
    ...(query?.includes(',') === true
      ? { commas: { ...request, target: target.replaceAll(',', '&p=') } }
      : {}),
    ...(query?.includes('&') === true ? { pairs: { ...request, target: target.replaceAll('&', ',') } } : {}),
    ...(own.length === 0 ? {} : { headers: { ...request, headers: [] } }),
    ...(body.length === 0
      ? {}
      : { body: { ...request, body: body.subarray(0, Math.floor(body.length / 2)) } }),
  };
}
