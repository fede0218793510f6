import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { COMMANDS } from '../../../src/cli/main.ts';
import { TRANSPORT_FLAGS } from '../../../src/cli/target/transport-flags.ts';
import { serveHttp } from '../../../src/http.ts';
import type { RunningHttp } from '../../../src/http.ts';
import { createServer, silentLogger } from '../../../src/index.ts';
import type { Ask } from '../../../src/index.ts';
import { ROOT } from '../../support/dist.ts';
import { freePort } from './free-port.ts';
import { startShop, shopDocument } from './openapi-api.ts';
import type { ShopApi } from './openapi-api.ts';
import { flagChecks } from './openapi-checks.ts';
import { serveRaw, serveResults } from './raw-http-server.ts';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';
import { whileServing as serveWhile } from './while-serving.ts';

let folder = '';
let running: RunningHttp;
let api: ShopApi;
/** The last value of a header at the server. */
let seen: string | null | undefined;

async function nameOf(ask: Ask): Promise<string> {
  const answer = await ask('pet', { message: 'Name?', schema: z.object({ name: z.string() }) });
  return answer.action === 'accept' ? answer.content.name : answer.action;
}

const server = createServer({ name: 'shop', version: '1.0.0', logger: silentLogger })
  .registerTool(
    'add',
    { description: 'Adds two numbers', inputSchema: z.object({ a: z.number(), b: z.number().default(1) }) },
    ({ a, b }) => a + b,
  )
  .registerTool('name_pet', { description: 'Asks for a name', inputSchema: z.object({}) }, (_args, context) =>
    nameOf(context.ask),
  )
  .registerPrompt({ name: 'greet', template: 'Hello' })
  .registerPrompt({ name: 'pet', handler: ({ context }) => nameOf(context.ask) })
  .registerResource({
    uri: 'shop://pet',
    name: 'pet',
    contentProvider: ({ context }) => nameOf(context.ask),
  })
  .registerResource({ uri: 'shop://manual', name: 'manual', text: 'Read me.' });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-flags-'));
  const prompts = [{ name: 'hi', template: 'Hi' }];
  const transport = { type: 'http', port: 8080 };
  writeFileSync(join(folder, 'toolwright.config.json'), JSON.stringify({ name: 'configured', prompts }));
  writeFileSync(join(folder, 'http.json'), JSON.stringify({ name: 'configured', prompts, transport }));
  const scopes = ['admin'];
  const scoped = {
    name: 'scoped',
    tools: [{ module: './scoped.mjs' }],
    prompts: [{ name: 'greet', template: 'Hello', scopes }],
    resources: [{ uri: 'shop://manual', name: 'manual', text: 'Read me.', scopes }],
  };
  writeFileSync(join(folder, 'scoped.json'), JSON.stringify(scoped));
  writeFileSync(
    join(folder, 'scoped.mjs'),
    `import * as z from ${JSON.stringify(import.meta.resolve('zod'))};
export default [{ name: 'add', description: 'Adds one to a number', scopes: ['admin'],
  inputSchema: z.object({ a: z.number() }), handler: ({ input }) => input.a + 1 }];`,
  );
  writeFileSync(join(folder, 'shop.json'), JSON.stringify(shopDocument()));
  api = await startShop();
  running = await serveHttp(server, {
    port: 0,
    authenticate: ({ headers }) => {
      seen = headers.get('x-key');
      return { id: 'ada' };
    },
  });
});

afterAll(async () => {
  await running.close();
  await api.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const run = (line: readonly string[]): Promise<Ran> => runCli(line, { cwd: folder });

type Checks = Readonly<Record<string, (flag: string) => Promise<void>>>;

/** For commands with a target server; other arguments are passed. */
function targetChecks(command: string, words: readonly string[]): Checks {
  const header = async (flag: string): Promise<void> => {
    seen = undefined;
    expect((await run([command, running.url, ...words, flag, 'X-Key: open sesame'])).code).toBe(0);
    expect(seen).toBe('open sesame');
  };
  const timeout = async (flag: string): Promise<void> => {
    // Responds to `server/discover` only.
    await using silent = await serveResults(
      Object.fromEntries(
        ['tools/list', 'tools/call', 'prompts/list', 'prompts/get', 'resources/list', 'resources/read'].map(
          (method) => [method, () => {}],
        ),
      ),
    );
    const { code, out, err } = await run([command, silent.url.href, ...words, flag, '200']);
    expect(code).toBe(command === 'doctor' ? 1 : 3);
    expect(`${out}${err}`).toMatch(/Timeout: the server did not respond to \S+\. Increase --timeout\./);
  };
  const json = async (flag: string): Promise<void> => {
    const { code, out } = await run([command, running.url, ...words, flag]);
    expect([code, typeof JSON.parse(out)]).toEqual([0, 'object']);
  };
  const as = async (flag: string): Promise<void> => {
    expect(await run([command, running.url, ...words, flag, 'ada'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--as and --scopes apply only to a file') as string,
    });
    expect((await run([command, 'scoped.json', ...words, flag, 'ada', '--scopes', 'admin'])).code).toBe(0);
  };
  const scopes = async (flag: string): Promise<void> => {
    const { out: anonymous } = await run([command, 'scoped.json', ...words]);
    const { code, out } = await run([command, 'scoped.json', ...words, flag, 'other,admin']);
    expect(code).toBe(0);
    expect(out).not.toBe(anonymous);
  };
  return {
    '--as': as,
    '--scopes': scopes,
    '--header': header,
    '-H': header,
    '--timeout': timeout,
    '-t': timeout,
    '--json': json,
  };
}

/** Only these lists exist. */
const lists =
  (...members: string[]) =>
  async (flag: string): Promise<void> => {
    const { out } = await run(['list', running.url, flag, '--json']);
    expect(Object.keys(JSON.parse(out) as object)).toEqual(['server', ...members]);
  };

/** Serves like `toolwright serve` until the check is over. */
const whileServing = async (flags: readonly string[], check: (url: URL) => Promise<void>): Promise<void> =>
  void (await serveWhile(['serve', '--http', ...flags], { cwd: folder }, check));

const servesOn = async (flag: string): Promise<void> => {
  const port = await freePort();
  await whileServing([flag, port], async (url) => expect(url.port).toBe(port));
};

/** A CORS preflight of a browser. */
function statusOf({ port }: URL, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = { port, host: '127.0.0.1', path: '/mcp', method: 'OPTIONS', headers };
    request(asking, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

const print = async (...flags: string[]): Promise<string> =>
  (await run(['serve', ...flags, '--print-client-config', 'codex'])).out;

const refusesNone = async (flag: string): Promise<void> =>
  expect(await run(['worker', flag, '0'])).toEqual({
    code: 2,
    out: '',
    err: 'error --concurrency must be a number from 1 to 1000; received "0".',
  });

const callsWith = async (flag: string): Promise<void> => {
  expect(await run(['call', running.url, 'add', flag, '{"a": 1, "b": 5}'])).toEqual({
    code: 0,
    out: '6',
    err: '',
  });
};

const answers =
  (command: string, word: string) =>
  async (flag: string): Promise<void> => {
    expect((await run([command, running.url, word, flag, 'name=Rex'])).out).toMatch(/(?:^|: )Rex$/);
  };

const names = async (flag: string): Promise<void> => {
  const made = mkdtempSync(join(folder, 'project-'));
  expect((await run(['init', made, flag, 'my-server'])).code).toBe(0);
  expect(JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'))).toMatchObject({ name: 'my-server' });
};

const begins = async (flag: string): Promise<void> => {
  const made = mkdtempSync(join(folder, 'project-'));
  expect((await run(['init', made, flag, 'openapi'])).err).toContain('created openapi.yaml');
};

const speaks = async (flag: string): Promise<void> => {
  const made = mkdtempSync(join(folder, 'project-'));
  expect((await run(['init', made, flag, 'js'])).err).toContain('created src/server.js');
};

/** Every option of every command, with a check of its effect. */
const CHECKS: Readonly<Record<string, Checks>> = {
  init: {
    '--template': begins,
    '-t': begins,
    '--language': speaks,
    '-l': speaks,
    '--name': names,
    '-n': names,
  },
  serve: {
    '--stdio': async (flag) => {
      expect(await print('http.json')).toContain('url = "http://127.0.0.1:8080/mcp"');
      expect(await print('http.json', flag)).toContain('command = ');
    },
    '--http': async (flag) => {
      expect(await print()).toContain('command = ');
      expect(await print(flag)).toContain('url = "http://127.0.0.1:3000/mcp"');
      await whileServing(['--port', '0'], async (url) =>
        expect((await run(['list', url.href])).out).toContain('configured 0.0.0'),
      );
    },
    '--port': servesOn,
    '-p': servesOn,
    '--host': async (flag) =>
      whileServing(['--port', '0', flag, 'localhost'], async (url) => expect(url.hostname).toBe('localhost')),
    '--path': async (flag) =>
      whileServing(['--port', '0', flag, '/demo'], async (url) => {
        expect(url.pathname).toBe('/demo');
        expect((await run(['list', url.href])).code).toBe(0);
      }),
    '--allow-host': async (flag) =>
      whileServing(['--port', '0', flag, 'a.example', flag, 'b.example'], async (url) => {
        const statuses = ['a.example', 'b.example', 'c.example'].map((host) => statusOf(url, { host }));
        const [a, b, c] = await Promise.all(statuses);
        expect([a === 403, b === 403, c]).toEqual([false, false, 403]);
      }),
    '--allow-origin': async (flag) =>
      whileServing(['--port', '0', flag, 'https://a.example'], async (url) => {
        const asks = { 'access-control-request-method': 'POST' };
        expect(await statusOf(url, { origin: 'https://a.example', ...asks })).toBe(204);
        expect(await statusOf(url, { origin: 'https://b.example', ...asks })).toBe(403);
      }),
    '--no-sessions': async (flag) => {
      const begin = async (url: URL): Promise<string | null> => {
        const params = {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'a', version: '1' },
        };
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
        });
        expect(await response.text()).toContain('2025-11-25');
        return response.headers.get('mcp-session-id');
      };
      await whileServing(['--port', '0'], async (url) => expect(await begin(url)).toMatch(/./));
      await whileServing(['--port', '0', flag], async (url) => expect(await begin(url)).toBeNull());
      expect((await run(['serve', flag])).err).toBe('error --no-sessions applies only to HTTP. Add --http.');
    },
    // More in test/package/workers.test.ts, with real processes.
    '--workers': async (flag) => {
      expect(await run(['serve', '--http', flag, '0'])).toEqual({
        code: 2,
        out: '',
        err: 'error --workers must be a number from 1 to 256; received "0".',
      });
      expect((await run(['serve', '--http', flag, '257'])).code).toBe(2);
    },
    '--allow-memory': async (flag) => {
      expect((await run(['serve', '--http', flag, 'cache'])).err).toBe(
        'error --allow-memory applies only to several processes. Add --workers.',
      );
      expect((await run(['serve', '--http', '--workers', '2', flag, 'cache,cach'])).err).toBe(
        'error Unknown state "cach" in --allow-memory. Did you mean "cache"? States: sessions, tasks, rateLimit, confirmations, cache, state, eventBus.',
      );
    },
    '--print-client-config': async (flag) => {
      expect((await run(['serve', flag, 'cursor'])).out).toContain('"mcpServers"');
    },
  },
  // More in test/stores/task-queue.test.ts, with real processes.
  worker: {
    '--concurrency': refusesNone,
    '-c': refusesNone,
    '--drain': async (flag) =>
      expect((await run(['worker', flag, 'soon'])).err).toBe(
        'error --drain must be an integer; received "soon".',
      ),
  },
  openapi: flagChecks(() => ({ folder, api })),
  list: {
    '--tools': lists('tools'),
    '--prompts': lists('prompts'),
    '--resources': lists('resources', 'resourceTemplates'),
    ...targetChecks('list', []),
  },
  describe: targetChecks('describe', ['add']),
  call: {
    '--args': callsWith,
    '-a': callsWith,
    '--answer': answers('call', 'name_pet'),
    ...targetChecks('call', ['add', 'a=1']),
  },
  read: {
    '--answer': answers('read', 'shop://pet'),
    ...targetChecks('read', ['shop://manual']),
  },
  prompt: {
    '--answer': answers('prompt', 'pet'),
    ...targetChecks('prompt', ['greet']),
  },
  doctor: targetChecks('doctor', []),
  schema: {},
  completion: {},
};

test('every option of every command has a check', () => {
  const wanted = COMMANDS.filter(({ name }) => name !== 'dev').map(({ name, flags }) => [
    name,
    Object.entries(flags)
      .flatMap(([flag, { short }]) => [`--${flag}`, ...(short === undefined ? [] : [`-${short}`])])
      .toSorted(),
  ]);
  const checked = Object.entries(CHECKS).map(([name, checks]) => [name, Object.keys(checks).toSorted()]);
  expect(checked).toEqual(wanted);
});

test('the options of dev are those of serve, which has them from the same place, and some that have tests of their own', () => {
  const flags = COMMANDS.find(({ name }) => name === 'dev')?.flags ?? {};
  expect(flags).toMatchObject(TRANSPORT_FLAGS);
  expect(COMMANDS.find(({ name }) => name === 'serve')?.flags).toMatchObject(TRANSPORT_FLAGS);
  const tests = readFileSync(join(ROOT, 'test/package/dev.test.ts'), 'utf8');
  const own = Object.entries(flags).filter(([flag]) => !Object.hasOwn(TRANSPORT_FLAGS, flag));
  const wanted = own.flatMap(([flag, { short }]) => [
    `'--${flag}'`,
    ...(short === undefined ? [] : [`'-${short}'`]),
  ]);
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.filter((flag) => !tests.includes(flag))).toEqual([]);
});

describe.each(Object.entries(CHECKS).filter(([, checks]) => Object.keys(checks).length > 0))(
  '%s',
  (_command, checks) => {
    test.each(Object.entries(checks))('%s', async (flag, check) => check(flag));
  },
);

test('--timeout is also for servers that do not even say who they are', async () => {
  await using silent = await serveRaw(() => {});
  expect(await run(['list', silent.url.href, '--timeout', '100'])).toEqual({
    code: 3,
    out: '',
    err: 'error Timeout: the server did not respond to initialize. Increase --timeout.',
  });
});

test('a command that never responds may serve HTTP: the message says how to list such a server', async () => {
  const silent = [
    '--',
    process.execPath,
    '-e',
    'setInterval(() => {}, 1e6); process.stdin.on("end", () => process.exit()).resume()',
  ];
  expect(await run(['list', '--timeout', '200', ...silent])).toEqual({
    code: 3,
    out: '',
    err: 'error Timeout: the server did not respond to initialize. Increase --timeout. Does the command serve stdio? For an HTTP server, start it and pass its URL.',
  });
});

test('a 401 says how to send a token', async () => {
  await using locked = await serveRaw((_asked, response) => {
    const error = { code: -32600, message: 'Authentication is required.' };
    response
      .writeHead(401, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', error }));
  });
  expect(await run(['list', locked.url.href])).toEqual({
    code: 1,
    out: '',
    err: 'error Authentication is required. Send valid credentials: --header "Authorization: Bearer …", or the header of API keys that this server expects. (-32600)',
  });
});
