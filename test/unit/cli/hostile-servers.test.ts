import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { sendEvents, sendJson, serveResults } from './raw-http-server.ts';
import type { RawHttpServer } from './raw-http-server.ts';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';

const CLEAR = '\u001B[2J\u009B2J\u202E\r';

const run = (line: readonly string[], { url }: RawHttpServer): Promise<Ran> =>
  runCli([line[0] ?? '', url.href, ...line.slice(1)], { cwd: tmpdir() });

const TOOL = { name: 'look', inputSchema: { type: 'object' } };

describe('no part of an answer moves the cursor', () => {
  test('the role of a message', async () => {
    await using server = await serveResults({
      'prompts/get': {
        messages: [{ role: `us${CLEAR}er\n`, content: { type: 'text', text: `Hel${CLEAR}lo` } }],
      },
    });
    expect(await run(['prompt', 'greet'], server)).toEqual({
      code: 0,
      out: 'us[2J2Jer : Hel[2J2Jlo',
      err: '',
    });
  });

  test('the type of a content and that of its bytes', async () => {
    await using server = await serveResults({
      'tools/list': { tools: [TOOL] },
      'tools/call': {
        content: [
          { type: `im${CLEAR}age`, mimeType: `image/${CLEAR}png`, data: 'AQID' },
          { type: 'resource_link', uri: `a:${CLEAR}b` },
          { type: 'resource', resource: { mimeType: `a/${CLEAR}b`, blob: 'AQ==' } },
        ],
      },
    });
    expect((await run(['call', 'look'], server)).out.split('\n')).toEqual([
      '[im[2J2Jage image/[2J2Jpng, 3 bytes; --json shows it]',
      '[link to a:[2J2Jb]',
      '[a/[2J2Jb, 1 bytes; --json shows it]',
    ]);
  });

  /** A server of 2025 with this version. */
  const old = (protocolVersion: unknown): Parameters<typeof serveResults>[0] => ({
    'server/discover': ({ message }, response) =>
      sendJson(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Unknown' } }),
    initialize: {
      protocolVersion,
      capabilities: { tools: {}, prompts: {} },
      serverInfo: { name: `o${CLEAR}ld\n`, version: `1${CLEAR}` },
    },
    'notifications/initialized': (_asked, response) => response.writeHead(202).end(),
  });

  test.each([[`2025${CLEAR}-06-18`], ['\r\nx: y'], [5], [undefined]])(
    'the revision: %j is none',
    async (protocolVersion) => {
      await using server = await serveResults(old(protocolVersion));
      expect(await run(['list'], server)).toEqual({
        code: 3,
        out: '',
        err: 'error The server responded to initialize without a valid protocolVersion.',
      });
    },
  );

  test('the name and the arguments', async () => {
    await using server = await serveResults({
      ...old('2025-06-18'),
      'tools/list': {
        tools: [{ name: `lo${CLEAR}ok`, inputSchema: { properties: { [`a\n${CLEAR}`]: {} }, required: 5 } }],
      },
      'prompts/list': { prompts: [{ name: 'hi', arguments: [{ name: `b\n${CLEAR}` }, null] }, { name: 5 }] },
    });
    expect((await run(['list'], server)).out.split('\n')).toEqual([
      'o[2J2Jld  1[2J2J (protocol 2025-06-18)',
      '',
      'Tools 1',
      '  lo[2J2Jok  a [2J2J?',
      '',
      'Prompts 2',
      '  hi  b [2J2J?, ?',
      '',
    ]);
  });

  test('in JSON for scripts either', async () => {
    await using server = await serveResults({ 'resources/read': { contents: [{ text: '\u009B2J\u202E' }] } });
    expect((await run(['read', 'a:b', '--json'], server)).out).toBe(
      '{\n  "contents": [\n    {\n      "text": "\\u009b2J\\u202e"\n    }\n  ]\n}',
    );
  });
});

describe('answers of the wrong form', () => {
  test('are shown as far as they can be', async () => {
    await using server = await serveResults({
      'tools/list': { tools: [TOOL] },
      'tools/call': { content: [null, 5, { type: 'text', text: 5 }, { type: 5, data: {} }] },
      'prompts/get': { messages: [null, { role: 5, content: 'x' }] },
      'resources/read': { contents: 'x' },
    });
    expect((await run(['call', 'look'], server)).out.split('\n')).toEqual([
      '[content , 0 bytes; --json shows it]',
      '[content , 0 bytes; --json shows it]',
      '',
      '[content , 0 bytes; --json shows it]',
    ]);
    expect(await run(['prompt', 'x'], server)).toMatchObject({ code: 0, err: '' });
    expect(await run(['read', 'a:b'], server)).toEqual({ code: 0, out: '', err: '' });
  });

  test('are findings of the doctor', async () => {
    await using server = await serveResults({
      'tools/list': { tools: [{ inputSchema: { type: 'object' }, description: 5 }] },
    });
    const { code, out } = await run(['doctor'], server);
    expect(code).toBe(1);
    expect(out).toContain('bad  Tool "" has no description');
  });
});

describe('progress', () => {
  const working = (end: object): Promise<RawHttpServer> =>
    serveResults({
      'tools/list': { tools: [TOOL] },
      'tools/call': ({ message: { id = null, params } }, response) => {
        const { progressToken } = (params?.['_meta'] ?? {}) as { progressToken?: unknown };
        const tell = (more: object): object => ({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, ...more },
        });
        sendEvents(response, [
          tell({ progress: 1, total: 2, message: `ha${CLEAR}lf\nway` }),
          tell({ progress: '\u001B[2J', total: '\u001B[2J' }),
          tell({ progress: { toString: 5 }, total: 4, message: {} }),
          { jsonrpc: '2.0', id, ...end },
        ]);
      },
    });

  const watch = async (end: object): Promise<Ran & { shown: string[] }> => {
    await using server = await working(end);
    const shown: string[] = [];
    const status = (text: string): void => void shown.push(text);
    const ran = await runCli(['call', server.url.href, 'look'], { cwd: tmpdir(), isWatched: true, status });
    return { ...ran, shown };
  };

  test('is shown in one line to a person, and taken away', async () => {
    expect(await watch({ result: { content: [{ type: 'text', text: 'done' }] } })).toEqual({
      code: 0,
      out: 'done',
      err: '',
      shown: ['1 of 2 ha[2J2Jlf way', '', '4', ''],
    });
  });

  test('is taken away also when the call fails', async () => {
    expect(await watch({ error: { code: -32603, message: 'broken' } })).toEqual({
      code: 1,
      out: '',
      err: 'error broken (-32603)',
      shown: ['1 of 2 ha[2J2Jlf way', '', '4', ''],
    });
  });

  test('is neither printed nor requested if the output is not a terminal', async () => {
    await using server = await working({ result: { content: [] } });
    const shown: string[] = [];
    const status = (text: string): void => void shown.push(text);
    await runCli(['call', server.url.href, 'look'], { cwd: tmpdir(), isWatched: false, status });
    expect(shown).toEqual([]);
    const { params } = server.asked.at(-1)?.message ?? {};
    expect(params?.['_meta']).not.toHaveProperty('progressToken');
  });
});

describe('questions and tasks that are none', () => {
  const ask = (params: unknown) => ({
    resultType: 'input_required',
    inputRequests: { q: { method: 'elicitation/create', params } },
  });
  const call = async (results: Parameters<typeof serveResults>[0]): Promise<Ran> => {
    await using server = await serveResults({ 'tools/list': { tools: [TOOL] }, ...results });
    return await runCli(['call', server.url.href, 'look'], { cwd: tmpdir(), ask: async () => 'yes' });
  };

  test('nothing of a question moves the cursor', async () => {
    const asked: string[] = [];
    const requestedSchema = {
      properties: { [`a${CLEAR}b`]: { description: `c${CLEAR}d`, default: CLEAR }, e: null },
    };
    await using server = await serveResults({
      'tools/list': { tools: [TOOL] },
      'tools/call': ({ message: { id = null, params } }, response) =>
        sendJson(response, {
          jsonrpc: '2.0',
          id,
          result:
            params?.['inputResponses'] === undefined
              ? ask({ message: `W${CLEAR}ho?`, requestedSchema })
              : { content: [] },
        }),
    });
    const { code, err } = await runCli(['call', server.url.href, 'look'], {
      cwd: tmpdir(),
      ask: async (question) => {
        asked.push(question);
        return '';
      },
    });
    expect([code, err]).toEqual([0, '? W[2J2Jho?']);
    expect(asked).toEqual(['  a[2J2Jb (any, c[2J2Jd) ["\\u001b[2J2J\\r"]: ', '  e (any) [omit]: ']);
  });

  test('questions without an end have one', async () => {
    expect(await call({ 'tools/call': ask({ message: 'Again?' }) })).toMatchObject({
      code: 3,
      err: expect.stringContaining('The server requested input for tools/call more than 50 times.') as string,
    });
  });

  test.each<[object, number, string]>([
    [
      { resultType: 'input_required', inputRequests: { q: null } },
      3,
      'error The server requested undefined, which this client does not support.',
    ],
    [
      { resultType: 'input_required', inputRequests: { q: { method: 'sampling/createMessage' } } },
      3,
      'error The server requested sampling/createMessage, which this client does not support.',
    ],
    [{ resultType: 'task' }, 3, 'error The server created a task without an id.'],
    [
      { resultType: 'task', taskId: 't', status: 'failed', error: null },
      1,
      'error The task failed. (-32603)',
    ],
    [{ resultType: 'task', taskId: 't', status: 'cancelled' }, 3, 'error The task was cancelled.'],
  ])('%j', async (result, code, err) => {
    expect(await call({ 'tools/call': result })).toEqual({ code, out: '', err });
  });

  test('a tool whose schemas are none is described', async () => {
    const tool = {
      name: 'look',
      inputSchema: { properties: null, required: ['a'] },
      outputSchema: 5,
      annotations: null,
    };
    await using server = await serveResults({ 'tools/list': { tools: [tool] } });
    expect(await run(['describe', 'look'], server)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`toolwright call ${server.url.href} look 'a:=<any>'`) as string,
    });
  });
});
