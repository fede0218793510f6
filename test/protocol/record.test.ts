// Temporary.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { startStage } from './support/transcript-sample.ts';
import { eventsOf } from './support/raw-http.ts';
import type { RawStream } from './support/raw-http.ts';

type Any = any;
const J: Record<string, string> = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};
const MJ = { ...J, 'MCP-Protocol-Version': '2026-07-28' };
const META = (caps: object = {}, more: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'transcript', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': caps,
  ...more,
});
const toJson = (event: Any) =>
  event.data?.startsWith('{') ? { ...event, data: JSON.parse(event.data) } : event;

function flat(v: Any): string {
  if (Array.isArray(v)) return v.length === 0 ? '[]' : `[${v.map(flat).join(', ')}]`;
  if (v && typeof v === 'object') {
    const e = Object.entries(v);
    return e.length === 0 ? '{}' : `{ ${e.map(([k, m]) => `${JSON.stringify(k)}: ${flat(m)}`).join(', ')} }`;
  }
  return JSON.stringify(v);
}
function print(v: Any, indent: number, used: number): string {
  const one = flat(v);
  if (indent + used + one.length <= 108 || v === null || typeof v !== 'object') return one;
  const pad = ' '.repeat(indent + 2);
  if (Array.isArray(v))
    return `[\n${v.map((m) => pad + print(m, indent + 2, 0)).join(',\n')}\n${' '.repeat(indent)}]`;
  return `{\n${Object.entries(v)
    .map(([k, m]) => `${pad}${JSON.stringify(k)}: ${print(m, indent + 2, k.length + 4)}`)
    .join(',\n')}\n${' '.repeat(indent)}}`;
}

class Recorder {
  steps: Any[] = [];
  patterns: Record<string, string> = {};
  known: [string, string][] = [];
  streams = new Map<string, RawStream>();
  stage: Any;
  constructor(stage: Any) {
    this.stage = stage;
  }
  name(name: string, value: string, pattern: string) {
    this.patterns[name] = pattern;
    this.known.push([value, `{{${name}}}`]);
    return value;
  }
  hide(value: Any): Any {
    let t = JSON.stringify(value);
    for (const [v, n] of this.known) t = t.replaceAll(v, n);
    return JSON.parse(t);
  }
  async send(send: Any, headers: string[] = ['content-type'], learn?: (r: Any) => void) {
    const r = await this.stage.http.send(send);
    learn?.(r);
    const receive: Any = {
      status: r.status,
      headers: Object.fromEntries(headers.map((h) => [h, r.headers[h] ?? null])),
    };
    if (r.headers['content-type'] === 'application/json') receive.body = JSON.parse(r.text);
    else if (r.headers['content-type'] === 'text/event-stream') receive.events = eventsOf(r).map(toJson);
    else receive.body = r.text;
    if (receive.events) receive.events.forEach((e: Any) => this.event(e));
    this.steps.push({ send, receive });
    return r;
  }
  eventNo = 0;
  event(e: Any) {
    if (e.id && !this.known.some(([v]) => v === e.id)) {
      this.eventNo += 1;
      this.name(`event_${this.eventNo}`, e.id, '[0-9a-f]{32}_\\d*');
    }
  }
  async open(name: string, send: Any, headers: string[] = ['content-type', 'x-accel-buffering']) {
    const s = await this.stage.http.open(send);
    this.streams.set(name, s);
    this.steps.push({
      open: name,
      send,
      receive: {
        status: s.status,
        headers: Object.fromEntries(headers.map((h) => [h, s.headers[h] ?? null])),
      },
    });
  }
  async on(name: string) {
    const e = toJson(await this.streams.get(name)!.events.next());
    this.event(e);
    this.steps.push({ on: name, event: e });
    return e;
  }
  async end(name: string) {
    await this.streams.get(name)!.events.rest();
    this.steps.push({ on: name, event: 'end' });
  }
  act(name: string) {
    this.stage.actions[name]();
    this.steps.push({ server: name });
  }
  write(m: Any) {
    this.stage.stdio.write(m);
    this.steps.push({ write: m });
  }
  async read() {
    const m = await this.stage.stdio.next();
    this.steps.push({ read: m });
    return m;
  }
  shared: Record<string, string> = J;
  short(send: Any): Any {
    const headers: Any = {};
    for (const [k, v] of Object.entries(send.headers)) if ((this.shared as Any)[k] !== v) headers[k] = v;
    for (const k of Object.keys(this.shared)) if (!(k in send.headers)) headers[k] = null;
    const { headers: _h, body, ...rest } = send;
    return {
      ...rest,
      ...(Object.keys(headers).length ? { headers } : {}),
      ...(body === undefined ? {} : { body }),
    };
  }
  save(version: string, file: string, about: string) {
    const folder = join(import.meta.dirname, 'transcripts', version);
    mkdirSync(folder, { recursive: true });
    // Event ids before the stream ids they begin with.
    this.known.sort(([a], [b]) => b.length - a.length);
    const steps = this.steps.map((x) => (x.send ? { ...x, send: this.short(x.send) } : x));
    const http = file === 'stdio' ? {} : { headers: this.shared };
    const placeholders = Object.keys(this.patterns).length > 0 ? { placeholders: this.patterns } : {};
    writeFileSync(
      join(folder, `${file}.json`),
      print({ about, ...placeholders, ...http, steps: this.hide(steps) }, 0, 0) + '\n',
    );
  }
}
const modern = (
  id: Any,
  method: string,
  params: Any,
  caps: object = {},
  more: object = {},
  headers: Any = {},
) => {
  const name = params.name ?? params.uri ?? params.taskId;
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      ...J,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(name ? { 'Mcp-Name': name } : {}),
      ...headers,
    },
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: META(caps, more) } },
  };
};
const ANN: Any = { action: 'accept', content: { name: 'Ann' } };
const SESSION = ['content-type', 'mcp-session-id'];

const T = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const in2026 = (file: string, about: string, run: (r: Recorder) => Promise<void>) =>
  test(`2026 ${file}`, async () => {
    await using stage = await startStage('http');
    const r = new Recorder(stage);
    r.shared = MJ;
    await run(r);
    r.save('2026-07-28', file, about);
  });
in2026('http-calls', 'Without a handshake: discovery, lists and calls.', async (r) => {
  await r.send(modern(1, 'server/discover', {}), SESSION);
  await r.send(modern(2, 'tools/list', {}));
  await r.send(modern(3, 'tools/call', { name: 'add', arguments: { a: 2, b: 3 } }));
  await r.send(modern('four', 'tools/call', { name: 'count' }, {}, { progressToken: 'p' }), [
    'content-type',
    'x-accel-buffering',
    'cache-control',
  ]);
  await r.send(modern(9, 'prompts/list', {}));
  await r.send(modern(10, 'prompts/get', { name: 'review', arguments: { code: 'let x' } }));
  await r.send(modern(11, 'resources/list', {}));
  await r.send(modern(12, 'resources/templates/list', {}));
  await r.send(modern(13, 'resources/read', { uri: 'notes://7' }));
  await r.send(
    modern(15, 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'review' },
      argument: { name: 'style', value: 's' },
    }),
  );
});
in2026('http-rounds', 'A call that asks: the question, the answer, and what is refused.', async (r) => {
  let state = '';
  await r.send(
    modern(5, 'tools/call', { name: 'greet', arguments: { greeting: 'Hi' } }, { elicitation: {} }),
    ['content-type'],
    (a) => {
      state = r.name('state', JSON.parse(a.text).result.requestState, 'v1\\.[\\w-]+');
    },
  );
  await r.send(
    modern(
      6,
      'tools/call',
      {
        name: 'greet',
        arguments: { greeting: 'Hi' },
        inputResponses: { user_name: ANN },
        requestState: state,
      },
      { elicitation: {} },
    ),
  );
  await r.send(
    modern(
      7,
      'tools/call',
      {
        name: 'greet',
        arguments: { greeting: 'Hey' },
        inputResponses: { user_name: ANN },
        requestState: state,
      },
      { elicitation: {} },
    ),
  );
  await r.send(modern(8, 'tools/call', { name: 'greet' }));
});
in2026('http-errors', 'What is refused, and with which status.', async (r) => {
  await r.send(modern(14, 'resources/read', { uri: 'docs://none' }));
  await r.send(modern(16, 'tools/call', { name: 'no_such_tool_at_all' }));
  const noMethod = modern(17, 'tools/list', {});
  delete (noMethod.headers as Any)['Mcp-Method'];
  await r.send(noMethod);
  await r.send(
    modern(
      18,
      'tools/list',
      {},
      {},
      { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
      { 'MCP-Protocol-Version': '2099-01-01' },
    ),
  );
  const noMeta = modern(19, 'tools/list', {});
  (noMeta.body as Any).params = {};
  await r.send(noMeta);
  await r.send(modern(20, 'initialize', {}));
  await r.send({
    method: 'POST',
    path: '/mcp',
    headers: MJ,
    body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  });
  await r.send(
    {
      method: 'GET',
      path: '/mcp',
      headers: { Accept: 'text/event-stream', 'MCP-Protocol-Version': '2026-07-28' },
    },
    ['content-type', 'allow'],
  );
});
in2026('http-listen', 'A subscription: what is honoured, and what is told.', async (r) => {
  await r.open(
    'news',
    modern('sub', 'subscriptions/listen', {
      notifications: { toolsListChanged: true, resourceSubscriptions: ['docs://manual', 'docs://none'] },
    }),
  );
  await r.on('news');
  r.act('adds a tool');
  await r.on('news');
  r.act('updates docs://manual');
  await r.on('news');
});
in2026('http-tasks', 'A task: made, cancelled and looked at.', async (r) => {
  let task = '';
  await r.send(modern(21, 'tools/call', { name: 'slow' }, T), ['content-type'], (a) => {
    task = r.name('task', JSON.parse(a.text).result.taskId, '[0-9a-f]{32}');
  });
  await r.send(modern(22, 'tasks/cancel', { taskId: task }, T));
  await r.send(modern(23, 'tasks/get', { taskId: task }, T));
  await r.send(modern(24, 'tasks/get', { taskId: task }));
});

test('2026 stdio', async () => {
  await using stage = await startStage('stdio');
  const r = new Recorder(stage);
  const m = (id: Any, method: string, params: Any = {}, caps: object = {}, more: object = {}) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, _meta: META(caps, more) },
  });
  const ask = async (x: Any) => {
    r.write(x);
    return r.read();
  };
  await ask(m(1, 'server/discover'));
  await ask(m('two', 'tools/call', { name: 'add', arguments: { a: 2, b: 3 } }));
  r.write(m(3, 'tools/call', { name: 'count' }, {}, { progressToken: 3 }));
  for (let i = 0; i < 4; i++) await r.read();
  const q = await ask(m(4, 'tools/call', { name: 'greet' }, { elicitation: {} }));
  const state = r.name('state', q.result.requestState, 'v1\\.[\\w-]+');
  await ask(
    m(
      5,
      'tools/call',
      { name: 'greet', inputResponses: { user_name: ANN }, requestState: state },
      { elicitation: {} },
    ),
  );
  await ask(m(6, 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
  r.act('adds a tool');
  await r.read();
  r.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 6 } });
  await ask(m(7, 'ping'));
  await ask({ jsonrpc: '2.0', id: 8, method: 'server/discover' });
  await ask(m(9, 'resources/read', { uri: 'docs://none' }));
  await ask([m(10, 'tools/list')]);
  r.save('2026-07-28', 'stdio', 'Without a handshake, on standard input and output.');
});

for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
  const hasForms = version >= '2025-06-18';
  const init = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: version,
      capabilities: { ...(hasForms ? { elicitation: {} } : {}), sampling: {}, roots: {} },
      clientInfo: { name: 'transcript', version: '1.0.0' },
    },
  };
  const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const q = (id: Any, method: string, params?: Any) => ({
    jsonrpc: '2.0',
    id,
    method,
    ...(params ? { params } : {}),
  });
  const results: Any = {
    'elicitation/create': ANN,
    'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' },
    'roots/list': { roots: [{ uri: 'file:///home' }] },
  };
  const batch = [q(20, 'ping'), ready, q(21, 'tools/call', { name: 'primes' })];

  test(`${version} http`, async () => {
    await using stage = await startStage('http');
    const r = new Recorder(stage);
    let session = '';
    await r.send({ method: 'POST', path: '/mcp', headers: J, body: init }, SESSION, (a) => {
      session = r.name('session', a.headers['mcp-session-id'], '[0-9a-f]{32}');
    });
    const S = {
      'Mcp-Session-Id': session,
      ...(version >= '2025-06-18' ? { 'MCP-Protocol-Version': version } : {}),
    };
    const p = (body: Any) => ({ method: 'POST', path: '/mcp', headers: { ...J, ...S }, body });
    await r.send(p(ready));
    await r.send(p(q(1, 'tools/list')));
    await r.send(p(q(2, 'tools/call', { name: 'primes' })));
    await r.send(p(q(3, 'tools/call', { name: 'media' })));
    await r.send(p(q('four', 'tools/call', { name: 'count', _meta: { progressToken: 'p' } })), [
      'content-type',
      'x-accel-buffering',
    ]);
    await r.open('call', p(q(5, 'tools/call', { name: hasForms ? 'greet' : 'ask_client' })));
    if (version === '2025-11-25') await r.on('call');
    for (let i = 0; i < (hasForms ? 1 : 2); i++) {
      const e = await r.on('call');
      (r as Any).asked = [...((r as Any).asked ?? []), e.data];
    }
    for (const { id, method } of (r as Any).asked)
      await r.send(p({ jsonrpc: '2.0', id, result: results[method] }));
    await r.on('call');
    await r.end('call');
    await r.send(p(q(6, 'logging/setLevel', { level: 'error' })));
    await r.send(p(q(7, 'resources/subscribe', { uri: 'docs://manual' })));
    await r.open('news', { method: 'GET', path: '/mcp', headers: { Accept: 'text/event-stream', ...S } });
    if (version === '2025-11-25') await r.on('news');
    r.act('adds a tool');
    await r.on('news');
    r.act('updates docs://manual');
    await r.on('news');
    await r.send(p(q(8, 'resources/read', { uri: 'docs://none' })));
    await r.send(p(q(9, 'no/such')));
    await r.send(p(batch));
    await r.send({ method: 'POST', path: '/mcp', headers: J, body: q(10, 'ping') });
    await r.send({ ...p(q(11, 'ping')), headers: { ...J, ...S, 'MCP-Protocol-Version': '1999-01-01' } });
    await r.send({ method: 'DELETE', path: '/mcp', headers: S });
    await r.end('news');
    await r.send(p(q(12, 'ping')));
    r.save(
      version,
      'http',
      `A session of ${version}: handshake, lists, calls, a question, news, errors, farewell.`,
    );
  });

  test(`${version} stdio`, async () => {
    await using stage = await startStage('stdio');
    const r = new Recorder(stage);
    const ask = async (x: Any) => {
      r.write(x);
      return r.read();
    };
    await ask(q('early', 'tools/list'));
    await ask(init);
    r.write(ready);
    await ask(q(1, 'tools/call', { name: 'add', arguments: { a: 2, b: 3 } }));
    await ask(q(2, 'tools/call', { name: 'media' }));
    r.write(q(3, 'tools/call', { name: 'count', _meta: { progressToken: 3 } }));
    for (let i = 0; i < 4; i++) await r.read();
    r.write(q(4, 'tools/call', { name: hasForms ? 'greet' : 'ask_client' }));
    const asked = [];
    for (let i = 0; i < (hasForms ? 1 : 2); i++) asked.push(await r.read());
    for (const { id, method } of asked) r.write({ jsonrpc: '2.0', id, result: results[method] });
    await r.read();
    await ask(q(5, 'resources/subscribe', { uri: 'docs://manual' }));
    r.act('updates docs://manual');
    await r.read();
    r.act('adds a tool');
    await r.read();
    await ask(q(6, 'prompts/get', { name: 'review' }));
    await ask(q(7, 'resources/read', { uri: 'docs://none' }));
    await ask(batch);
    await ask(q(8, 'ping'));
    r.save(version, 'stdio', `A connection of ${version} on standard input and output.`);
  });
}

test('sse', async () => {
  await using stage = await startStage('sse');
  const r = new Recorder(stage);
  await r.open('stream', { method: 'GET', path: '/sse', headers: { Accept: 'text/event-stream' } });
  const first = await r.on('stream');
  const session = r.name(
    'session',
    new URLSearchParams(first.data.split('?')[1]).get('sessionId')!,
    '[0-9a-f]{32}',
  );
  const p = (body: Any) => ({
    method: 'POST',
    path: `/messages?sessionId=${session}`,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const q = (id: Any, method: string, params?: Any) => ({
    jsonrpc: '2.0',
    id,
    method,
    ...(params ? { params } : {}),
  });
  await r.send(
    p({
      ...q(0, 'initialize', {
        protocolVersion: '2024-11-05',
        capabilities: { sampling: {}, roots: {} },
        clientInfo: { name: 'transcript', version: '1.0.0' },
      }),
    }),
  );
  await r.on('stream');
  await r.send(p({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  await r.send(p(q(1, 'tools/call', { name: 'add', arguments: { a: 2, b: 3 } })));
  await r.on('stream');
  await r.send(p(q(2, 'tools/call', { name: 'media' })));
  await r.on('stream');
  await r.send(p(q(3, 'tools/call', { name: 'count', _meta: { progressToken: 3 } })));
  for (let i = 0; i < 4; i++) await r.on('stream');
  await r.send(p(q(4, 'tools/call', { name: 'ask_client' })));
  const asked = [(await r.on('stream')).data, (await r.on('stream')).data];
  await r.send(
    p({
      jsonrpc: '2.0',
      id: asked[0].id,
      result: { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' },
    }),
  );
  await r.send(p({ jsonrpc: '2.0', id: asked[1].id, result: { roots: [{ uri: 'file:///home' }] } }));
  await r.on('stream');
  r.act('adds a tool');
  await r.on('stream');
  await r.send(p(q(5, 'resources/read', { uri: 'docs://none' })));
  await r.on('stream');
  await r.send({ ...p(q(6, 'ping')), path: '/messages?sessionId=unknown' });
  r.save(
    '2024-11-05',
    'sse',
    'The two endpoints of 2024-11-05: a stream of everything the server says, and an address for everything the client says.',
  );
});
