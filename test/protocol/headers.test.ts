import { describe, expect } from 'vitest';
import * as z from 'zod';
import { createServer, defineTool } from '../../src/index.ts';
import { requirement } from './requirement.ts';
import { openSession } from './support/legacy-http.ts';
import { JSON_HEADERS, modernRequest } from './support/raw-http.ts';
import type { RawHttp, RawRequest, RawResponse } from './support/raw-http.ts';
import { initializeMessage, legacyMessage, modernMessage, textOf } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';

type Headers = NonNullable<RawRequest['headers']>;

/** A request with headers that do not match it. */
function sendWith(
  http: RawHttp,
  headers: Headers,
  [method, params]: [string, object?],
): Promise<RawResponse> {
  return http.send(modernRequest(modernMessage(method, params, { id: 'checked' }), headers));
}

function expectMismatch({ status, headers, json }: RawResponse): void {
  expect([status, headers['content-type'], json.id, json.error?.code]).toEqual([
    400,
    'application/json',
    'checked',
    -32020,
  ]);
}

describe('the standard headers', () => {
  requirement(
    'headers:version:missing',
    'a request without its version in the headers is refused',
    async () => {
      await using sample = await startHttp();
      expectMismatch(await sendWith(sample.http, { 'MCP-Protocol-Version': undefined }, ['tools/list']));
      expectMismatch(await sendWith(sample.http, { 'MCP-Protocol-Version': undefined }, ['server/discover']));
    },
  );

  requirement(
    'headers:version:mismatch',
    'a version that differs from the body is refused before it is found unsupported',
    async () => {
      await using sample = await startHttp();
      expectMismatch(await sendWith(sample.http, { 'MCP-Protocol-Version': '2025-11-25' }, ['tools/list']));
      const message = modernMessage(
        'server/discover',
        {},
        { id: 'checked', meta: { 'io.modelcontextprotocol/protocolVersion': 'v999' } },
      );
      expectMismatch(await sample.http.send(modernRequest(message)));
    },
  );

  requirement(
    ['headers:mcp-method:missing', 'headers:error-id'],
    'a request without Mcp-Method is refused, with its id',
    async () => {
      await using sample = await startHttp();
      const response = await sendWith(sample.http, { 'Mcp-Method': undefined }, ['tools/list']);
      expectMismatch(response);
      expect(response.json.error?.message).toBe('Header mismatch: the header Mcp-Method is missing.');
    },
  );

  requirement('headers:mcp-method:mismatch', 'another method, or other letters, are refused', async () => {
    await using sample = await startHttp();
    for (const method of ['prompts/list', 'TOOLS/LIST', 'tools/list/', ''])
      expectMismatch(await sendWith(sample.http, { 'Mcp-Method': method }, ['tools/list']));
    // Checked before the method is looked up.
    expectMismatch(await sendWith(sample.http, { 'Mcp-Method': 'tools/list' }, ['no/such']));
  });

  requirement('headers:mcp-method:plain', 'an encoded Mcp-Method is refused', async () => {
    await using sample = await startHttp();
    expectMismatch(
      await sendWith(sample.http, { 'Mcp-Method': '=?base64?dG9vbHMvbGlzdA==?=' }, ['tools/list']),
    );
  });

  const NAMED: [string, object][] = [
    ['tools/call', { name: 'primes' }],
    ['prompts/get', { name: 'review', arguments: { code: 'x' } }],
    ['resources/read', { uri: 'docs://manual' }],
  ];

  requirement('headers:mcp-name:missing', 'calls, prompts and reads need Mcp-Name', async () => {
    await using sample = await startHttp();
    for (const named of NAMED) {
      expectMismatch(await sendWith(sample.http, { 'Mcp-Name': undefined }, named));
      expect((await sendWith(sample.http, {}, named)).status).toBe(200);
    }
  });

  requirement('headers:mcp-name:mismatch', 'another name is refused, before it is looked up', async () => {
    await using sample = await startHttp();
    for (const named of NAMED) expectMismatch(await sendWith(sample.http, { 'Mcp-Name': 'other' }, named));
    expectMismatch(await sendWith(sample.http, { 'Mcp-Name': 'Primes' }, ['tools/call', { name: 'primes' }]));
    expectMismatch(await sendWith(sample.http, { 'Mcp-Name': 'x' }, ['tools/call', { name: 'no_such' }]));
  });

  requirement('headers:mcp-name:elsewhere', 'other methods need no Mcp-Name', async () => {
    await using sample = await startHttp();
    const ref = { type: 'ref/prompt', name: 'review' };
    const argument = { name: 'style', value: '' };
    for (const [method, params] of [
      ['tools/list', {}],
      ['server/discover', {}],
      ['completion/complete', { ref, argument }],
    ] as const) {
      const response = await sendWith(sample.http, { 'Mcp-Name': undefined }, [method, params]);
      expect([method, response.status]).toEqual([method, 200]);
    }
  });

  requirement('headers:names', 'letters of names and spaces around values do not count', async () => {
    await using sample = await startHttp();
    const message = modernMessage('tools/call', { name: 'primes' });
    for (const name of ['mcp-method', 'MCP-METHOD', 'mCp-MeThOd']) {
      const headers = {
        ...JSON_HEADERS,
        'mcp-PROTOCOL-version': '2026-07-28',
        [name]: 'tools/call',
        'MCP-NAME': '  primes  ',
      };
      expect((await sample.http.send({ headers, body: message })).status).toBe(200);
    }
  });

  requirement(
    'headers:earlier',
    'earlier revisions need none of these, and wrong ones do no harm',
    async () => {
      await using sample = await startHttp();
      const session = await openSession(sample.http);
      const wrong = { 'Mcp-Method': 'prompts/list', 'Mcp-Name': 'other', 'Mcp-Param-Region': 'other' };
      const call = legacyMessage('tools/call', { name: 'route', arguments: { region: 'north' } });
      const { json } = await sample.http.send({
        headers: { ...JSON_HEADERS, ...session.headers, ...wrong },
        body: call,
      });
      expect(textOf(json)).toBe('routed {"region":"north"}');
      const again = await sample.http.send({
        headers: { ...JSON_HEADERS, 'Mcp-Method': 'tools/list' },
        body: initializeMessage('2025-06-18'),
      });
      expect(again.status).toBe(200);
    },
  );
});

describe('encoded values', () => {
  const PRIMES: [string, object] = ['tools/call', { name: 'primes' }];

  requirement('headers:base64', 'names and arguments are decoded before they are compared', async () => {
    await using sample = await startHttp();
    const name = await sendWith(sample.http, { 'Mcp-Name': '=?base64?cHJpbWVz?=' }, PRIMES);
    expect(name.status).toBe(200);
    const values: [string, string][] = [
      ['Hello', '=?base64?SGVsbG8=?='],
      ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
      [' padded ', '=?base64?IHBhZGRlZCA=?='],
      ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
      ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ];
    for (const [region, header] of values) {
      const call: [string, object] = ['tools/call', { name: 'route', arguments: { region } }];
      const response = await sendWith(sample.http, { 'Mcp-Param-Region': header }, call);
      expect([region, response.status, textOf(response.json)]).toEqual([
        region,
        200,
        `routed ${JSON.stringify({ region })}`,
      ]);
    }
    const unknown = ['resources/read', { uri: 'docs://Ümläut' }] as [string, object];
    const read = await sendWith(sample.http, { 'Mcp-Name': '=?base64?ZG9jczovL8OcbWzDpHV0?=' }, unknown);
    expect(read.json.error?.code).toBe(-32602);
  });

  requirement('headers:base64:invalid', 'what pretends to be base64 and is not is refused', async () => {
    await using sample = await startHttp();
    const call: [string, object] = ['tools/call', { name: 'route', arguments: { region: 'Hello' } }];
    for (const header of [
      '=?base64?SGVsbG8?=',
      '=?base64?SGVs!!!bG8=?=',
      '=?base64?SGVsbG9=?=',
      '=?base64?SGVs bG8=?=',
      '=?base64?/w==?=',
    ])
      expectMismatch(await sendWith(sample.http, { 'Mcp-Param-Region': header }, call));
    expectMismatch(await sendWith(sample.http, { 'Mcp-Name': '=?base64?cHJpbWV?=' }, PRIMES));
  });

  requirement('headers:base64:markers', 'half a marker, or one in large letters, is text', async () => {
    await using sample = await startHttp();
    for (const region of [
      'SGVsbG8=',
      '=?base64?SGVsbG8=',
      'SGVsbG8=?=',
      '=?BASE64?SGVsbG8=?=',
      '=?Base64?x?=',
    ]) {
      const call: [string, object] = ['tools/call', { name: 'route', arguments: { region } }];
      const response = await sendWith(sample.http, { 'Mcp-Param-Region': region }, call);
      expect([region, response.status]).toEqual([region, 200]);
    }
    const hello: [string, object] = ['tools/call', { name: 'route', arguments: { region: 'Hello' } }];
    expectMismatch(await sendWith(sample.http, { 'Mcp-Param-Region': '=?BASE64?SGVsbG8=?=' }, hello));
  });

  requirement(
    'headers:characters',
    'bytes that are not ASCII are refused, also where they would fit',
    async () => {
      await using sample = await startHttp();
      const call: [string, object] = ['tools/call', { name: 'route', arguments: { region: 'café' } }];
      // Node sends these characters as single bytes, and decodes them to the same characters.
      expectMismatch(await sendWith(sample.http, { 'Mcp-Param-Region': 'café' }, call));
      const read: [string, object] = ['resources/read', { uri: 'docs://café' }];
      expectMismatch(await sendWith(sample.http, { 'Mcp-Name': 'docs://café' }, read));
    },
  );
});

describe('arguments that travel as headers', () => {
  const route = (args: object): [string, object] => ['tools/call', { name: 'route', arguments: args }];

  requirement('headers:param:match', 'headers that say what the arguments say are accepted', async () => {
    await using sample = await startHttp();
    const args = { region: 'us-west1', shard: -7, dry: false, tenant: { id: 'a' } };
    const headers = {
      'Mcp-Param-Region': 'us-west1',
      'mcp-param-shard': '-7',
      'MCP-PARAM-DRY': 'false',
      'Mcp-Param-Tenant': 'a',
    };
    const { status, json } = await sendWith(sample.http, headers, route(args));
    expect([status, textOf(json)]).toEqual([200, `routed ${JSON.stringify(args)}`]);
  });

  requirement('headers:param:mismatch', 'a header that differs from its argument is refused', async () => {
    await using sample = await startHttp();
    const cases: [Headers, object][] = [
      [{ 'Mcp-Param-Region': 'us-west1' }, { region: 'us-west2' }],
      [{ 'Mcp-Param-Region': 'US-west1' }, { region: 'us-west1' }],
      [{ 'Mcp-Param-Shard': '42' }, { shard: 43 }],
      [{ 'Mcp-Param-Dry': 'true' }, { dry: false }],
      [{ 'Mcp-Param-Dry': 'True' }, { dry: true }],
      [{ 'Mcp-Param-Tenant': 'b' }, { tenant: { id: 'a' } }],
      [{ 'Mcp-Param-Region': 'us-west1' }, {}],
      [{ 'Mcp-Param-Region': '' }, {}],
    ];
    for (const [headers, args] of cases) expectMismatch(await sendWith(sample.http, headers, route(args)));
  });

  requirement('headers:param:missing', 'an argument without its header is refused', async () => {
    await using sample = await startHttp();
    for (const args of [
      { region: 'x' },
      { shard: 0 },
      { dry: false },
      { tenant: { id: '' } },
      { region: '' },
    ])
      expectMismatch(await sendWith(sample.http, {}, route(args)));
  });

  requirement('headers:param:absent', 'no header is expected for what is absent or null', async () => {
    await using sample = await startHttp();
    for (const args of [{}, { tenant: {} }]) {
      const { status } = await sendWith(sample.http, {}, route(args));
      expect([args, status]).toEqual([args, 200]);
    }
    // The schema does not allow null; the tool has to report that, not the headers.
    const { status, json } = await sendWith(sample.http, {}, route({ region: null }));
    expect([status, json.result?.isError]).toEqual([200, true]);
  });

  requirement('headers:param:integer', 'integers are compared as numbers', async () => {
    await using sample = await startHttp();
    for (const header of ['42', '42.0', '042']) {
      const response = await sendWith(sample.http, { 'Mcp-Param-Shard': header }, route({ shard: 42 }));
      expect([header, response.status]).toEqual([header, 200]);
    }
    for (const header of ['42.5', 'fortytwo', '', '0x2a', 'NaN'])
      expectMismatch(await sendWith(sample.http, { 'Mcp-Param-Shard': header }, route({ shard: 42 })));
    expectMismatch(await sendWith(sample.http, { 'Mcp-Param-Shard': '' }, route({ shard: 0 })));
  });

  requirement('headers:param:unknown', 'headers that no argument declares are ignored', async () => {
    await using sample = await startHttp();
    const { status } = await sendWith(sample.http, { 'Mcp-Param-Other': 'x' }, route({}));
    expect(status).toBe(200);
    const other = await sendWith(sample.http, { 'Mcp-Param-Region': 'x' }, [
      'tools/call',
      { name: 'primes' },
    ]);
    expect(other.status).toBe(200);
  });

  requirement('headers:param:definition', 'a tool that breaks a rule is refused at definition', () => {
    const define = (inputSchema: z.ZodType) => () =>
      createServer({
        name: 'x',
        version: '1',
        tools: [defineTool({ name: 'bad', description: 'Bad', inputSchema, handler: () => '' })],
      });
    const annotated = (name: string): z.ZodType => z.string().meta({ 'x-mcp-header': name });
    expect(define(z.object({ a: annotated('') }))).toThrow(/x-mcp-header/);
    expect(define(z.object({ a: annotated('two words') }))).toThrow(/x-mcp-header/);
    expect(define(z.object({ a: annotated('line\r\nbreak') }))).toThrow(/x-mcp-header/);
    expect(define(z.object({ a: annotated('Same'), b: annotated('same') }))).toThrow(/x-mcp-header/);
    expect(define(z.object({ a: z.number().meta({ 'x-mcp-header': 'N' }) }))).toThrow(/x-mcp-header/);
    expect(define(z.object({ a: z.array(annotated('Item')) }))).toThrow(/x-mcp-header/);
    expect(define(z.object({ a: z.union([annotated('Either'), z.int()]) }))).toThrow(/x-mcp-header/);
    expect(define(z.object({ a: annotated('Fine') }))).not.toThrow();
  });
});
