import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callJson, callTool, connectHttp, VERSIONS } from '../support/clients.ts';
import type { OfficialClient } from '../support/clients.ts';
import { command, connectStdio, MAIN, run, startHttp } from '../support/processes.ts';
import type { HttpProcess } from '../support/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'fitness-process-'));
const database = join(folder, 'data', 'fitness.db');
const variables = { FITNESS_DATABASE: database };
const admin = (...args: string[]): Promise<string> => command(args, variables);
let token: string;
beforeAll(async () => {
  await admin('tenant', 'set-plan', 'acme', 'professional');
  await admin('user', 'add', 'mia', '--tenant', 'acme');
  token = await admin('token', 'issue', 'mia');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function listNames(client: OfficialClient): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

test('the folder of the database is created, and only its owner can read it', () => {
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
});

describe.each(VERSIONS)('over standard input and output, client %s', (version) => {
  test('with nothing configured, it serves the demonstration athlete', async () => {
    const { client } = await connectStdio({ version }, variables);
    try {
      expect(await listNames(client)).not.toContain('get_connection_status');
      expect(await callJson(client, 'get_athlete')).toMatchObject({
        provider: 'synthetic',
        athlete: { name: 'Demonstration athlete' },
      });
    } finally {
      await client.close();
    }
  });

  test('FITNESS_USER is the caller', async () => {
    const { client } = await connectStdio({ version }, { ...variables, FITNESS_USER: 'mia' });
    try {
      expect(await listNames(client)).toContain('get_connection_status');
      expect(await callJson(client, 'get_connection_status')).toHaveProperty('providers');
    } finally {
      await client.close();
    }
  });
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends a server on stdio, and it closes the database',
  async (signal) => {
    const file = join(folder, `${signal}.db`);
    const { client, pid } = await connectStdio({ version: 'v1' }, { FITNESS_DATABASE: file });
    const closed = new Promise<void>((resolve) => {
      Object.assign(client, { onclose: resolve });
    });
    expect(existsSync(`${file}-wal`)).toBe(true);
    process.kill(pid, signal);
    await closed;
    expect(existsSync(`${file}-wal`)).toBe(false);
  },
);

describe('over HTTP', () => {
  let http: HttpProcess;
  beforeAll(async () => {
    http = await startHttp(variables);
  });
  afterAll(() => http.stop());

  test.each(VERSIONS)(
    'client %s: a token gives the tools of its tenant, none the public ones',
    async (version) => {
      const member = await connectHttp({ version }, http.url, token);
      const anonymous = await connectHttp({ version }, http.url);
      try {
        expect(await listNames(member)).toContain('get_connection_status');
        expect(await listNames(anonymous)).not.toContain('get_connection_status');
        expect(await callJson(anonymous, 'get_stats')).toHaveProperty('totals');
      } finally {
        await member.close();
        await anonymous.close();
      }
    },
  );

  test('an invalid token is a 401', async () => {
    const headers = { authorization: `Bearer ${token}x` };
    expect((await fetch(http.url, { method: 'POST', headers })).status).toBe(401);
  });

  test.each(VERSIONS)(
    'client %s: an override of another process is obeyed by the next call, and announced',
    async (version) => {
      const lists: (readonly string[])[] = [];
      const client = await connectHttp({ version, onTools: (names) => lists.push(names) }, http.url, token);
      const set = (state: 'on' | 'off'): Promise<string> =>
        admin('override', 'set', 'acme', 'get_stats', state, '--reason', 'Race week');
      try {
        expect(await callJson(client, 'get_stats')).toHaveProperty('totals');
        expect(await set('off')).toContain('get_stats is off (override): command line disabled the tool at ');
        await expect(callTool(client, 'get_stats')).rejects.toThrow('Unknown tool: get_stats');
        expect(await listNames(client)).not.toContain('get_stats');
        await expect.poll(() => lists.at(-1)).not.toContain('get_stats');
        await set('on');
        expect(await callJson(client, 'get_stats')).toHaveProperty('totals');
        await expect.poll(() => lists.at(-1)).toContain('get_stats');
      } finally {
        await client.close();
      }
    },
  );

  test('a second server with the same database obeys and announces an override of the first', async () => {
    const second = await startHttp(variables);
    const lists: (readonly string[])[] = [];
    await admin('user', 'add', 'olga', '--tenant', 'acme', '--role', 'owner');
    const olga = await connectHttp({ version: 'v2' }, http.url, await admin('token', 'issue', 'olga'));
    const mia = await connectHttp(
      { version: 'v2', onTools: (names) => lists.push(names) },
      second.url,
      token,
    );
    try {
      const given = { tenant: 'acme', tool: 'get_athlete' };
      await callJson(olga, 'admin_set_override', { ...given, enabled: false, reason: 'Privacy' });
      await expect(callTool(mia, 'get_athlete')).rejects.toThrow('Unknown tool: get_athlete');
      await expect.poll(() => lists.at(-1)).not.toContain('get_athlete');
      await callJson(olga, 'admin_remove_override', given);
      expect(await callJson(mia, 'get_athlete')).toHaveProperty('athlete');
    } finally {
      await olga.close();
      await mia.close();
      expect(await second.stop()).toBe(0);
    }
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the server with exit code 0', async (signal) => {
    const other = await startHttp({ FITNESS_DATABASE: ':memory:' });
    expect(await other.stop(signal)).toBe(0);
  });

  test('a port that is in use is an error, and the process ends', async () => {
    const { port } = new URL(http.url);
    const ended = await run(['--http', '--port', port], variables);
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(port) as string });
  });
});

test('a revoked token is a 401 in a running server', async () => {
  const http = await startHttp(variables);
  try {
    const other = await admin('token', 'issue', 'mia');
    const headers = { authorization: `Bearer ${other}` };
    expect((await fetch(http.url, { method: 'POST', headers })).status).not.toBe(401);
    await admin('token', 'revoke', other.slice(0, 20));
    expect((await fetch(http.url, { method: 'POST', headers })).status).toBe(401);
  } finally {
    await http.stop();
  }
});

test.each([
  [
    [],
    { FITNESS_EXPOSURE: 'tree' },
    'FITNESS_EXPOSURE must be one of flat, grouped, search, auto; received "tree".',
  ],
  [[], { FITNESS_DISABLED_TOOLS: 'get_stat' }, 'Unknown tool "get_stat" in FITNESS_DISABLED_TOOLS'],
  [
    [],
    { FITNESS_USER: 'zoe' },
    'FITNESS_USER is "zoe", who is not a user of this database. Add the user: npm run fitness -- user add zoe\n',
  ],
  [[], { FITNESS_USER: 'mia', FITNESS_FILES: '/missing' }, 'FITNESS_FILES is not a folder: "/missing".'],
  [
    [],
    { FITNESS_KEY: 'short', FITNESS_STRAVA_CLIENT_ID: '7', FITNESS_STRAVA_CLIENT_SECRET: 's' },
    'FITNESS_KEY must be 32 bytes in Base64 (44 characters). Create a key with: openssl rand -base64 32\n',
  ],
  [
    [],
    { FITNESS_DATABASE: join(MAIN, 'data', 'fitness.db') },
    `The folder of FITNESS_DATABASE ${join(MAIN, 'data', 'fitness.db')} cannot be created`,
  ],
  [['catalog'], { FITNESS_EXPOSURE: 'tree' }, 'FITNESS_EXPOSURE must be one of'],
  [['effective', 'acne'], {}, 'Unknown tenant "acne": use acme.\n'],
  [['serve'], {}, 'Unknown command "serve": use a command or an option of --help.\n'],
  [['--port', '80'], {}, '--port needs --http.\n'],
  [
    ['--print-client-config', 'emacs'],
    {},
    'Unknown client "emacs". Clients: claude-code, claude-desktop, codex',
  ],
] as const)(
  '%j with %j is rejected with exit code 1, and nothing is written to standard output',
  async (args, given, message) => {
    const ended = await run(args, { ...variables, ...given });
    expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) as string });
  },
);

test('--print-client-config has absolute paths and all variables, but no secret', async () => {
  const given = {
    FITNESS_USER: 'mia',
    FITNESS_KEY: 'the-key',
    FITNESS_STRAVA_CLIENT_ID: '7',
    FITNESS_STRAVA_CLIENT_SECRET: 'the-secret',
    FITNESS_FILES: '.',
  };
  const { stdout } = await run(['--print-client-config', 'cursor'], given);
  expect(JSON.parse(stdout)).toEqual({
    mcpServers: {
      fitness: {
        command: process.execPath,
        args: [MAIN],
        env: {
          FITNESS_USER: 'mia',
          FITNESS_KEY: '<FITNESS_KEY>',
          FITNESS_STRAVA_CLIENT_ID: '7',
          FITNESS_STRAVA_CLIENT_SECRET: '<FITNESS_STRAVA_CLIENT_SECRET>',
          FITNESS_FILES: process.cwd(),
          FITNESS_DATABASE: join(process.cwd(), '.data/fitness.db'),
        },
      },
    },
  });
  const http = await run(['--http', '--print-client-config', 'cursor'], {});
  expect(JSON.parse(http.stdout)).toEqual({ mcpServers: { fitness: { url: 'http://127.0.0.1:3003/mcp' } } });
});

test('--help lists the options and the commands', async () => {
  const { code, stdout } = await run(['--help'], {});
  expect(code).toBe(0);
  for (const word of [
    '--http',
    '--port',
    '--print-client-config',
    'user add <user>',
    'override set',
    'effective <tenant>',
  ])
    expect(stdout).toContain(word);
});

test('a server on stdio ends with exit code 0 when its input ends', async () => {
  expect(await run([], { FITNESS_DATABASE: ':memory:' })).toEqual({ code: 0, stdout: '', stderr: '' });
});
