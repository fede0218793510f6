import { expect } from 'vitest';
import { requirement } from './requirement.ts';
import { openSession } from './support/legacy-http.ts';
import { JSON_HEADERS, modernRequest } from './support/raw-http.ts';
import type { RawRequest } from './support/raw-http.ts';
import { startStdio } from './support/raw-stdio.ts';
import { legacyMessage, modernMessage, textOf } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';

/** A POST of exactly this text. */
function rawPost(body: string | Buffer): RawRequest {
  return { headers: JSON_HEADERS, body };
}

requirement(
  ['rpc:parse-error', 'rpc:id:unknown'],
  'text that is no JSON is answered with -32700, 400 and no id',
  async () => {
    await using sample = await startHttp();
    for (const text of ['', '{', 'hello', '{"jsonrpc":"2.0",}']) {
      const { status, headers, json } = await sample.http.send(rawPost(text));
      expect([status, headers['content-type']]).toEqual([400, 'application/json']);
      expect(json).toEqual({
        jsonrpc: '2.0',
        error: { code: -32700, message: 'Parse error: the message is not valid JSON.' },
      });
    }
  },
);

requirement('rpc:not-utf8', 'a body that is not UTF-8 is answered with -32700', async () => {
  await using sample = await startHttp();
  const bytes = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
    Buffer.from([0xff]),
    Buffer.from('"}'),
  ]);
  const { status, json } = await sample.http.send(rawPost(bytes));
  expect([status, json.error?.code]).toEqual([400, -32700]);
});

requirement('rpc:invalid-request', 'JSON that is no request is answered with -32600 and 400', async () => {
  await using sample = await startHttp();
  const messages = [
    '1',
    'null',
    '[]',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}',
    '{"jsonrpc":"2.0","id":1}',
  ];
  for (const text of messages) {
    const { status, json } = await sample.http.send(rawPost(text));
    expect([text, status, json.error?.code]).toEqual([text, 400, -32600]);
    expect(json.error?.message).toMatch(/^Invalid request: /);
  }
});

requirement(
  ['rpc:id:type', 'rpc:id:unknown'],
  'an id that is null, a fraction or an object is refused and not echoed',
  async () => {
    await using sample = await startHttp();
    for (const id of ['null', '1.5', '{}', 'true', '[1]']) {
      const { status, json } = await sample.http.send(
        rawPost(`{"jsonrpc":"2.0","id":${id},"method":"server/discover"}`),
      );
      expect([id, status, json.error?.code]).toEqual([id, 400, -32600]);
      expect(json).not.toHaveProperty('id');
    }
  },
);

requirement('rpc:id:echo', 'an answer has the id of its request, as text or as number', async () => {
  await using sample = await startHttp();
  for (const id of ['7', 7, 0, -1, 'a "quoted" one', '', Number.MAX_SAFE_INTEGER]) {
    const found = await sample.http.modern('server/discover', {}, { id });
    const missing = await sample.http.modern('no/such', {}, { id });
    expect([found.json.id, missing.json.id]).toEqual([id, id]);
  }
});

requirement('rpc:id:in-use', 'an id whose request is not answered yet is refused, in both eras', async () => {
  await using sample = startStdio();
  const { stdio, gate } = sample;
  stdio.write(modernMessage('tools/call', { name: 'wait' }, { id: 1 }));
  await gate.started.next();
  expect((await stdio.modern('server/discover', {}, { id: 1 })).error?.code).toBe(-32600);
  await stdio.initialize('2025-11-25');
  stdio.write(legacyMessage('tools/call', { name: 'wait' }, 2));
  await gate.started.next();
  expect((await stdio.ask(legacyMessage('ping', undefined, 2))).error?.code).toBe(-32600);
  gate.open();
  expect([(await stdio.next()).id, (await stdio.next()).id]).toEqual([1, 2]);
});

requirement(
  'rpc:method-not-found',
  'an unknown method is -32601, with 404 in 2026-07-28 and 200 before',
  async () => {
    await using sample = await startHttp();
    const modern = await sample.http.modern('no/such', {}, { id: 5 });
    expect([modern.status, modern.json]).toEqual([
      404,
      { jsonrpc: '2.0', id: 5, error: { code: -32601, message: 'Method not found: no/such' } },
    ]);
    const session = await openSession(sample.http);
    const legacy = await session.post(legacyMessage('no/such'));
    expect([legacy.status, legacy.json.error?.code]).toEqual([200, -32601]);
    expect((await session.request('tasks/get', { taskId: 'x' })).error?.code).toBe(-32601);
  },
);

requirement('rpc:limits', 'too deep, too many and twice the same key are refused with -32600', async () => {
  const limits = { maxDepth: 20, maxNodes: 100 };
  await using sample = startStdio({ limits });
  const { stdio } = sample;
  await stdio.initialize('2025-11-25');
  expect((await stdio.ask('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[[]]}}\n')).result).toEqual(
    {},
  );
  const deep = `${'['.repeat(30)}${']'.repeat(30)}`;
  const texts = [
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${'0,'.repeat(200)}0]}}`,
    '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__pro\\u0074o__":{}}}',
  ];
  await using http = await startHttp({ limits });
  for (const text of texts) {
    const answer = await stdio.ask(`${text}\n`);
    expect([text, answer.error?.code]).toEqual([text, -32600]);
    const { status, json } = await http.http.send(rawPost(text));
    expect([status, json.error]).toEqual([400, answer.error]);
  }
});

requirement('stateless:discover', 'server/discover says what the server is and can do', async () => {
  await using sample = await startHttp({ instructions: 'Ask me anything.', title: 'Sample' });
  const { status, json } = await sample.http.modern('server/discover', {}, { id: 'd' });
  expect(status).toBe(200);
  expect(json).toEqual({
    jsonrpc: '2.0',
    id: 'd',
    result: {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {
        logging: {},
        completions: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
      instructions: 'Ask me anything.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: {
        'io.modelcontextprotocol/serverInfo': { name: 'sample', version: '1.2.3', title: 'Sample' },
      },
    },
  });
});

requirement(
  'stateless:discover:capabilities',
  'what is not served is neither declared nor known',
  async () => {
    await using sample = await startHttp({ tools: undefined, prompts: undefined, resources: undefined });
    const { json } = await sample.http.modern('server/discover');
    expect(json.result?.capabilities).toEqual({ logging: {} });
    const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
    for (const method of [...methods, 'tools/call', 'prompts/get', 'resources/read']) {
      const answer = await sample.http.modern(method, { name: 'x', uri: 'x://y' });
      expect([method, answer.status, answer.json.error?.code]).toEqual([method, 404, -32601]);
    }
    const ref = { type: 'ref/prompt', name: 'x' };
    const completion = await sample.http.modern('completion/complete', {
      ref,
      argument: { name: 'a', value: '' },
    });
    expect([completion.status, completion.json.error?.code]).toEqual([404, -32601]);
  },
);

requirement('stateless:no-handshake', 'the first request ever may be a call', async () => {
  await using http = await startHttp();
  const { json } = await http.http.modern('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
  expect(json.result?.structuredContent).toEqual({ sum: 3 });
  await using stdio = startStdio();
  const answer = await stdio.stdio.modern('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
  expect(answer.result?.structuredContent).toEqual({ sum: 3 });
});

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

requirement('stateless:meta:missing', 'a request without _meta is refused with -32602 and 400', async () => {
  await using sample = await startHttp();
  for (const params of [undefined, {}, { _meta: null }, { _meta: [] }]) {
    const message = { jsonrpc: '2.0', id: 101, method: 'server/discover', ...(params && { params }) };
    const { status, json } = await sample.http.send(modernRequest(message));
    expect([status, json.id, json.error?.code]).toEqual([400, 101, -32602]);
  }
  await using stdio = startStdio();
  const answer = await stdio.stdio.ask({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' });
  expect(answer.error?.code).toBe(-32602);
});

requirement(
  'stateless:meta:version-missing',
  'a request whose _meta lacks the version is refused with -32602 and 400',
  async () => {
    await using sample = await startHttp();
    for (const version of [undefined, 20260728, null]) {
      const message = modernMessage('tools/list', {}, { id: 102, meta: { [VERSION_KEY]: version } });
      const { status, json } = await sample.http.send(modernRequest(message));
      expect([status, json.id, json.error?.code]).toEqual([400, 102, -32602]);
    }
  },
);

requirement(
  'stateless:meta:capabilities-missing',
  'a request whose _meta lacks the capabilities is refused with -32602 and 400',
  async () => {
    await using sample = await startHttp();
    for (const capabilities of [undefined, null, [], 'all']) {
      const message = modernMessage(
        'server/discover',
        {},
        { id: 104, meta: { [CAPABILITIES_KEY]: capabilities } },
      );
      const { status, json } = await sample.http.send(modernRequest(message));
      expect([status, json.id, json.error?.code]).toEqual([400, 104, -32602]);
    }
    await using stdio = startStdio();
    const meta = { [CAPABILITIES_KEY]: undefined };
    expect((await stdio.stdio.modern('tools/list', {}, { meta })).error?.code).toBe(-32602);
  },
);

requirement('stateless:meta:client-info-optional', 'clientInfo may be missing', async () => {
  await using sample = await startHttp();
  const meta = { 'io.modelcontextprotocol/clientInfo': undefined };
  const { status, json } = await sample.http.modern('tools/call', { name: 'whoami' }, { meta });
  expect([status, textOf(json)]).toEqual([200, 'undefined undefined undefined']);
});

requirement('stateless:meta:trace-context', 'traceparent in _meta reaches the handler', async () => {
  await using sample = await startHttp();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';
  const { json } = await sample.http.modern('tools/call', { name: 'whoami' }, { meta: { traceparent } });
  expect(textOf(json)).toBe(`undefined raw ${traceparent}`);
});

requirement(
  'stateless:version:unsupported',
  'an unknown version is refused with -32022 and the versions that are supported',
  async () => {
    await using sample = await startHttp();
    const message = modernMessage('server/discover', {}, { id: 301, meta: { [VERSION_KEY]: 'v999' } });
    const { status, json } = await sample.http.send(
      modernRequest(message, { 'MCP-Protocol-Version': 'v999' }),
    );
    expect(status).toBe(400);
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 301,
      error: {
        code: -32022,
        message: 'Unsupported protocol version: v999. Supported: 2026-07-28.',
        data: { supported: ['2026-07-28'], requested: 'v999' },
      },
    });
    await using stdio = startStdio();
    const answer = await stdio.stdio.modern('tools/list', {}, { meta: { [VERSION_KEY]: '1900-01-01' } });
    expect(answer.error).toMatchObject({ code: -32022, data: { requested: '1900-01-01' } });
  },
);

requirement(
  ['stateless:result-type', 'stateless:server-info'],
  'every result says its type and who sent it',
  async () => {
    await using sample = await startHttp();
    const ref = { type: 'ref/prompt', name: 'review' };
    const requests: [string, object][] = [
      ['server/discover', {}],
      ['tools/list', {}],
      ['tools/call', { name: 'primes' }],
      ['tools/call', { name: 'fail' }],
      ['tools/call', { name: 'greet' }],
      ['prompts/list', {}],
      ['prompts/get', { name: 'review', arguments: { code: 'x' } }],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri: 'docs://manual' }],
      ['completion/complete', { ref, argument: { name: 'style', value: '' } }],
    ];
    for (const [method, params] of requests) {
      const { json } = await sample.http.modern(method, params, { capabilities: { elicitation: {} } });
      const isQuestion = JSON.stringify(params).includes('greet');
      expect([method, json.result?.resultType]).toEqual([method, isQuestion ? 'input_required' : 'complete']);
      expect(json.result?._meta).toMatchObject({
        'io.modelcontextprotocol/serverInfo': { name: 'sample', version: '1.2.3' },
      });
    }
  },
);

requirement(
  'stateless:capabilities-per-request',
  'what one request declared does not hold for the next on the same connection',
  async () => {
    await using sample = startStdio();
    const capable = await sample.stdio.modern(
      'tools/call',
      { name: 'greet' },
      { capabilities: { elicitation: {} } },
    );
    expect(capable.result?.resultType).toBe('input_required');
    const plain = await sample.stdio.modern('tools/call', { name: 'greet' });
    expect(plain.error?.code).toBe(-32021);
  },
);

requirement(
  'stateless:capability-missing',
  'what needs an undeclared capability is refused with -32021, 400 and the capability',
  async () => {
    await using sample = await startHttp();
    const call = await sample.http.modern('tools/call', { name: 'greet' }, { id: 401 });
    expect(call.status).toBe(400);
    expect(call.json).toEqual({
      jsonrpc: '2.0',
      id: 401,
      error: {
        code: -32021,
        message: 'Missing client capability: elicitation.',
        data: { requiredCapabilities: { elicitation: { form: {} } } },
      },
    });
    const prompt = await sample.http.modern('prompts/get', { name: 'ask_first' });
    expect([prompt.status, prompt.json.error?.code]).toEqual([400, -32021]);
    const read = await sample.http.modern('resources/read', { uri: 'docs://personal' });
    expect([read.status, read.json.error?.code]).toEqual([400, -32021]);
  },
);

requirement('stateless:removed-methods', 'what earlier revisions had is gone: 404 and -32601', async () => {
  await using sample = await startHttp();
  const methods = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];
  for (const method of [...methods, 'roots/list', 'sampling/createMessage', 'elicitation/create']) {
    const { status, json } = await sample.http.modern(method, { uri: 'docs://manual', level: 'info' });
    expect([method, status, json.error?.code]).toEqual([method, 404, -32601]);
  }
  await using stdio = startStdio();
  for (const method of methods) {
    expect((await stdio.stdio.modern(method)).error?.code).toBe(-32601);
  }
});

requirement('stateless:reserved-codes', 'no error has a code that this revision does not allow', async () => {
  await using sample = await startHttp();
  const requests: [string, object][] = [
    ['tools/call', { name: 'no_such' }],
    ['prompts/get', { name: 'no_such' }],
    ['prompts/get', { name: 'broken' }],
    ['resources/read', { uri: 'docs://none' }],
    ['resources/read', { uri: 'notes://none' }],
    ['tools/call', { name: 'visit' }],
    ['tasks/get', { taskId: 'none' }],
    ['subscriptions/listen', {}],
    ['tools/list', { cursor: '!' }],
  ];
  for (const [method, params] of requests) {
    const { json } = await sample.http.modern(method, params);
    expect([-32021, -32602, -32603]).toContain(json.error?.code);
  }
});

requirement('eras:no-modern-members', 'results of earlier revisions stay as they were', async () => {
  await using sample = await startHttp();
  const session = await openSession(sample.http);
  const ref = { type: 'ref/prompt', name: 'review' };
  const requests: [string, object | undefined][] = [
    ['tools/list', undefined],
    ['tools/call', { name: 'add', arguments: { a: 1, b: 2 } }],
    ['prompts/list', {}],
    ['prompts/get', { name: 'review', arguments: { code: 'x' } }],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'docs://logo' }],
    ['completion/complete', { ref, argument: { name: 'style', value: '' } }],
  ];
  for (const [method, params] of requests) {
    const { result } = await session.request(method, params);
    expect(Object.keys(result ?? {})).not.toEqual([]);
    for (const member of ['resultType', 'ttlMs', 'cacheScope', '_meta'])
      expect(result).not.toHaveProperty(member);
  }
});

requirement('eras:one-endpoint', 'both eras are served at the same time', async () => {
  await using sample = await startHttp();
  const session = await openSession(sample.http);
  const waiting = session.post(legacyMessage('tools/call', { name: 'wait' }, 'legacy'));
  await sample.gate.started.next();
  const { json } = await sample.http.modern('tools/call', { name: 'add', arguments: { a: 1, b: 1 } });
  expect(json.result).toMatchObject({ resultType: 'complete', structuredContent: { sum: 2 } });
  sample.gate.open();
  const legacy = (await waiting).json;
  expect(legacy).toEqual({
    jsonrpc: '2.0',
    id: 'legacy',
    result: { content: [{ type: 'text', text: 'went on' }] },
  });
});
