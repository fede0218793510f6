import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callJson, callTool, VERSIONS } from '../support/clients.ts';
import type { OfficialClient } from '../support/clients.ts';
import { startStack, TRANSPORTS } from '../support/stack.ts';
import type { Connecting } from '../support/stack.ts';
import { browse, startStravaStack } from '../support/strava-stack.ts';
import type { StravaStack } from '../support/strava-stack.ts';

interface Row {
  readonly provider: string;
  readonly status: string;
  readonly is_default: boolean;
}

const STRAVA = { provider: 'strava' };
let stack: StravaStack;
beforeEach(async () => {
  stack = await startStravaStack();
});
afterEach(() => stack.close());

async function statuses(client: OfficialClient): Promise<readonly string[]> {
  const { providers } = await callJson<{ providers: readonly Row[] }>(client, 'get_connection_status');
  return providers.map(
    ({ provider, status, is_default }) => `${provider} ${status}${is_default ? ' default' : ''}`,
  );
}

const UNCONNECTED = ['synthetic connected default', 'files not_configured', 'strava not_connected'];
const CONNECTED = ['synthetic connected', 'files not_configured', 'strava connected default'];
const WAITING = { provider: 'strava', status: 'waiting_for_user', expires_at: '2026-11-18T12:10:00.000Z' };

const COMBINATIONS: readonly Connecting[] = VERSIONS.flatMap((version) =>
  TRANSPORTS.map((transport) => ({ version, transport })),
);

describe.each(COMBINATIONS)('client $version over $transport', (combination) => {
  test('a client that opens addresses: the user is asked, allows access, and is connected when the call ends', async () => {
    const pages: string[] = [];
    const client = await stack.connect({
      ...combination,
      openUrl: async (url) => {
        pages.push(await browse(url));
        return 'accept';
      },
    });
    expect(await statuses(client)).toEqual(UNCONNECTED);
    expect(await callJson(client, 'connect_provider', STRAVA)).toEqual({ ...STRAVA, status: 'connected' });
    expect(pages).toEqual(['Strava is connected. You can close this page.\n']);
    expect(await statuses(client)).toEqual(CONNECTED);
    expect(await callJson(client, 'get_athlete')).toMatchObject({
      provider: 'strava',
      athlete: { name: 'Marianne Teutenberg', ftp_w: 255 },
    });
  });

  test('another client gets the address, which has a state, a PKCE challenge and no secret', async () => {
    const client = await stack.connect(combination);
    const found = await callJson<{ url: string }>(client, 'connect_provider', STRAVA);
    expect(found).toEqual({
      ...WAITING,
      url: expect.any(String) as string,
      notes: [
        'Ask the user to open the url on the machine of this server and to allow access. Then call get_connection_status.',
      ],
    });
    const { origin, searchParams } = new URL(found.url);
    expect(origin).toBe(stack.strava.origin);
    expect(searchParams.get('state')).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(found.url).not.toContain('client-secret-of-the-tests');
    expect(await statuses(client)).toEqual(UNCONNECTED);
    expect(await browse(found.url)).toBe('Strava is connected. You can close this page.\n');
    expect(await statuses(client)).toEqual(CONNECTED);
  });

  test('disconnecting revokes the permission at Strava and deletes the tokens', async () => {
    const client = await stack.connect(combination);
    const { url } = await callJson<{ url: string }>(client, 'connect_provider', STRAVA);
    await browse(url);
    expect(stack.database.all('SELECT user_id, provider FROM provider_tokens')).toEqual([
      { user_id: 'user', ...STRAVA },
    ]);
    expect(stack.strava.isPermitted).toBe(true);
    expect(await callJson(client, 'disconnect_provider', STRAVA)).toEqual({
      ...STRAVA,
      status: 'not_connected',
      was_connected: true,
      permission_revoked: true,
    });
    expect(stack.strava.isPermitted).toBe(false);
    expect(stack.database.all('SELECT * FROM provider_tokens')).toEqual([]);
    expect(await statuses(client)).toEqual(UNCONNECTED);
    expect(await callJson(client, 'disconnect_provider', STRAVA)).toMatchObject({ was_connected: false });
  });

  test.each(['decline', 'cancel'] as const)(
    'a user who responds with %s is not connected',
    async (action) => {
      const client = await stack.connect({ ...combination, openUrl: () => Promise.resolve(action) });
      expect(await callJson(client, 'connect_provider', STRAVA)).toEqual({
        ...STRAVA,
        status: action === 'decline' ? 'declined' : 'cancelled',
      });
      expect(await statuses(client)).toEqual(UNCONNECTED);
    },
  );

  test('a permission that the user refuses at Strava is an error', async () => {
    stack.strava.granted = undefined;
    const openUrl = async (url: string): Promise<'accept'> => {
      await browse(url);
      return 'accept';
    };
    const client = await stack.connect({ ...combination, openUrl });
    expect(await callTool(client, 'connect_provider', STRAVA)).toMatchObject({
      isError: true,
      text: expect.stringContaining('The permission was not granted in Strava.') as string,
    });
    expect(await statuses(client)).toEqual(UNCONNECTED);
  });

  test('the call ends while the user has not allowed access yet, and the address stays valid', async () => {
    let opened = '';
    const client = await stack.connect({
      ...combination,
      openUrl: (url) => {
        opened = url;
        return Promise.resolve('accept');
      },
    });
    const before = stack.clock.pending;
    const call = callJson(client, 'connect_provider', STRAVA);
    // The wait of the handler is a timer of the clock.
    await expect.poll(() => [opened !== '', stack.clock.pending > before + 1]).toEqual([true, true]);
    stack.clock.advance(20_000);
    expect(await call).toEqual({
      ...WAITING,
      notes: ['The user has not allowed access yet. Wait for the user. Then call get_connection_status.'],
    });
    await browse(opened);
    expect(await statuses(client)).toEqual(CONNECTED);
  });

  test('client id and secret are not arguments, and a provider that the server lacks is no value', async () => {
    const client = await stack.connect(combination);
    for (const [args, path] of [
      [{ ...STRAVA, client_secret: 'x' }, 'client_secret'],
      [{ ...STRAVA, client_id: 'x' }, 'client_id'],
      [{ provider: 'files' }, 'provider'],
      [{ provider: 'garmin' }, 'provider'],
      [{}, 'provider'],
    ] as const)
      for (const tool of ['connect_provider', 'disconnect_provider'])
        await expect(callTool(client, tool, args)).rejects.toMatchObject({
          code: -32_602,
          data: { issues: [{ path: [path] }] },
        });
  });

  test('anonymous callers neither see nor call the tools of connections', async () => {
    const client = await stack.connect({ ...combination, caller: 'anonymous' });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    for (const tool of ['get_connection_status', 'connect_provider', 'disconnect_provider']) {
      expect(names).not.toContain(tool);
      await expect(callTool(client, tool, STRAVA)).rejects.toThrow(`Unknown tool: ${tool}`);
    }
  });
});

test('the connection of one user is not that of another', async () => {
  const user = await stack.connect();
  const { url } = await callJson<{ url: string }>(user, 'connect_provider', STRAVA);
  await browse(url);
  const other = await stack.connect({ caller: 'starter' });
  expect(await statuses(other)).toEqual(UNCONNECTED);
  await callJson(other, 'disconnect_provider', STRAVA);
  expect(await statuses(user)).toEqual(CONNECTED);
});

test('disconnecting ends an attempt to connect: its address connects nobody', async () => {
  const client = await stack.connect();
  const { url } = await callJson<{ url: string }>(client, 'connect_provider', STRAVA);
  await callJson(client, 'disconnect_provider', STRAVA);
  expect(await browse(url)).toContain('This address is not valid');
  expect(await statuses(client)).toEqual(UNCONNECTED);
});

test('if Strava cannot be told, the tokens are deleted and the result says how to remove the application', async () => {
  const client = await stack.connect();
  const { url } = await callJson<{ url: string }>(client, 'connect_provider', STRAVA);
  await browse(url);
  stack.strava.revokeAll();
  expect(await callJson(client, 'disconnect_provider', STRAVA)).toMatchObject({ permission_revoked: true });
  const again = await callJson<{ url: string }>(client, 'connect_provider', STRAVA);
  await browse(again.url);
  await stack.strava[Symbol.asyncDispose]();
  expect(await callJson(client, 'disconnect_provider', STRAVA)).toMatchObject({
    was_connected: true,
    permission_revoked: false,
    notes: [expect.stringContaining('https://www.strava.com/settings/apps')],
  });
  expect(await statuses(client)).toEqual(UNCONNECTED);
});

test('the status has the Strava requests that are left', async () => {
  const client = await stack.connect();
  const { url } = await callJson<{ url: string }>(client, 'connect_provider', STRAVA);
  await browse(url);
  await callJson(client, 'get_athlete');
  expect(await callJson(client, 'get_connection_status')).toMatchObject({
    strava_requests_left: { in_15_minutes: 99, today: 999 },
  });
});

describe('files and the demonstration athlete', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fitness-connections-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  for (let number = 10; number < 32; number += 1) writeFileSync(join(folder, `broken-${number}.gpx`), '<gpx');

  test('the owner of the files is connected, with the files that could not be read; others are not', async () => {
    const files = await startStack({ environment: { FITNESS_FILES: folder, FITNESS_USER: 'user' } });
    try {
      const owner = await files.connect();
      expect(await statuses(owner)).toEqual([
        'synthetic connected',
        'files connected default',
        'strava not_configured',
      ]);
      const { unreadable_files, notes } = await callJson<{ unreadable_files: object[]; notes: string[] }>(
        owner,
        'get_connection_status',
      );
      expect(unreadable_files).toHaveLength(20);
      expect(unreadable_files[0]).toEqual({ file: 'broken-10.gpx', reason: expect.any(String) as string });
      expect(notes).toEqual(['22 files could not be read; 20 are listed.']);
      const provider = 'files';
      expect(await callJson(owner, 'connect_provider', { provider })).toEqual({
        provider,
        status: 'connected',
      });
      expect(await callTool(owner, 'disconnect_provider', { provider })).toMatchObject({
        isError: true,
        text: 'The provider files cannot be disconnected.\nSuggestion: Ask the operator of this server to remove FITNESS_FILES.',
      });
      const other = await files.connect({ caller: 'starter' });
      expect(await callJson(other, 'get_connection_status')).not.toHaveProperty('unreadable_files');
      expect(await callTool(other, 'connect_provider', { provider })).toMatchObject({
        isError: true,
        text: 'The files of this server belong to another user.\nSuggestion: Ask the operator of this server to set FITNESS_USER to you.',
      });
    } finally {
      await files.close();
    }
  });

  test('the demonstration athlete is always connected, and cannot be disconnected', async () => {
    const client = await stack.connect();
    const provider = 'synthetic';
    expect(await callJson(client, 'connect_provider', { provider })).toEqual({
      provider,
      status: 'connected',
      notes: ['The demonstration athlete is always connected.'],
    });
    expect(await callTool(client, 'disconnect_provider', { provider })).toMatchObject({
      isError: true,
      text: 'The provider synthetic cannot be disconnected.\nSuggestion: Name another provider in your calls.',
    });
  });

  test('format toon is a table', async () => {
    const client = await stack.connect();
    const { text } = await callTool(client, 'get_connection_status', { format: 'toon' });
    expect(text.split('\n')[0]).toBe('providers[3]{provider,status,is_default,data,detail}:');
  });
});
