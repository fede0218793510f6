/** API keys are stored as hashes, compared whole, and end when they are revoked or expire. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createApiKey } from '../../src/auth.ts';
import { textOf } from '../protocol/support/rpc.ts';
import { asked } from './support/asked.ts';
import { Chance, SEED } from './support/chance.ts';
import { ChildServer } from './support/child-server.ts';
import { answerIn, HttpCaller } from './support/http-caller.ts';
import { promise } from './support/promise.ts';
import { TokenClient } from './support/token-client.ts';
import type { Weakness } from './support/weaken.ts';

interface Key {
  readonly key: string;
  readonly prefix: string;
}

interface Running {
  readonly server: ChildServer;
  readonly keys: readonly [Key, ...Key[]];
  /** The records in the store. */
  readonly dump: string;
  /** The outcome of a call with a key: the id of the principal, or the status. */
  readonly call: (key: string, path?: '/keys' | '/bearer') => Promise<string>;
}

async function start(without: readonly Weakness[]): Promise<Running> {
  const server = await ChildServer.listen('api-keys-http.mjs', { without });
  const http = new HttpCaller(server.port, 50);
  const { keys, dump } = await asked<{ keys: [Key, ...Key[]]; dump: string }>(server, 'keys', 'keys');
  return {
    server,
    keys,
    dump,
    call: async (key, path = '/keys') => {
      const headers = path === '/keys' ? { 'X-Api-Key': key, Authorization: '' } : {};
      const ended = await new TokenClient(http, key, { path, headers }).call('echo');
      if (ended.loss !== undefined) throw new Error(`no answer: ${ended.loss}`);
      return ended.status === 200 ? textOf(answerIn(ended) ?? {}) : String(ended.status);
    },
  };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function letter(chance: Chance): string {
  return ALPHABET[chance.below(64)] ?? '';
}

/** A text that is nearly a key. */
function nearly({ key, prefix }: Key, stranger: Key, chance: Chance): string {
  const secret = key.slice(prefix.length + 1);
  const at = chance.below(key.length);
  switch (chance.below(8)) {
    case 0: {
      const other = letter(chance);
      return `${key.slice(0, at)}${other === key[at] ? '~' : other}${key.slice(at + 1)}`;
    }
    case 1:
      return key.slice(0, 1 + chance.below(key.length - 1));
    case 2:
      return `${key}${letter(chance)}`;
    case 3:
      // The last character has two bits that a lenient decoder of base64url ignores.
      return `${key.slice(0, -1)}${ALPHABET[(ALPHABET.indexOf(key.at(-1) ?? '') ^ (1 + chance.below(3))) % 64]}`;
    case 4:
      return `${stranger.prefix}_${secret}`;
    case 5:
      return chance.pick([
        key.toUpperCase(),
        prefix,
        secret,
        `${prefix}_`,
        `${prefix}__${secret}`,
        `${key}=`,
      ]);
    case 6:
      return `${prefix}_${secret.split('').toReversed().join('')}`;
    default:
      return `${prefix}_${Array.from({ length: 43 }, () => letter(chance)).join('')}`;
  }
}

async function expectOnlyHashes(without: readonly Weakness[]): Promise<void> {
  const { keys, dump } = await start(without);
  const found = keys.filter(({ key, prefix }) => {
    const secret = key.slice(prefix.length + 1);
    const decoded = Buffer.from(secret, 'base64url');
    return [secret, decoded.toString('hex'), decoded.toString('base64')].some((text) => dump.includes(text));
  });
  expect(found, 'keys that can be read from the store').toEqual([]);
  for (const { key, prefix } of keys) {
    expect(key, 'a key').toMatch(/^tw_[\da-f]{16}_[\w-]{43}$/);
    expect(dump, 'the part for support').toContain(`"prefix":"${prefix}"`);
  }
  expect(new Set(keys.map(({ key }) => key)).size, 'different keys').toBe(20);
}

async function expectNoNearMiss(without: readonly Weakness[]): Promise<void> {
  const { server, keys, dump, call } = await start(without);
  const chance = new Chance();
  const hashes = (JSON.parse(dump) as { prefix: string; hash: string }[]).flatMap(({ prefix, hash }) => [
    hash,
    `${prefix}_${hash}`,
  ]);
  const misses = Array.from({ length: 1000 - hashes.length }, () => {
    const [one, other] = [chance.pick(keys), chance.pick(keys)];
    return nearly(one, one === other ? { ...other, prefix: 'tw_0000000000000000' } : other, chance);
  });
  const accepted: string[] = [];
  await Promise.all(
    [...hashes, ...misses].map(async (key, index) => {
      const outcome = await call(key, index % 2 === 0 ? '/keys' : '/bearer');
      if (outcome !== '401') accepted.push(`${key}: ${outcome}`);
    }),
  );
  expect(hashes.length + misses.length, 'near misses').toBe(1000);
  expect(accepted, `near misses that were accepted (seed ${SEED})`).toEqual([]);
  expect(await asked(server, 'counts', 'counts'), 'handlers that ran').toEqual({ counts: { handled: 0 } });
  for (const path of ['/keys', '/bearer'] as const)
    expect(await call(keys[0]?.key ?? '', path), 'the key itself').toBe('user-0');
}

async function expectRevoked(without: readonly Weakness[]): Promise<void> {
  const { server, keys, call } = await start(without);
  const [{ key, prefix }, other] = keys as [Key, Key];
  let isOver = false;
  let revokedAt = Number.POSITIVE_INFINITY;
  const before: string[] = [];
  const after: string[] = [];
  const use = async (): Promise<void> => {
    while (!isOver) {
      const startedAt = performance.now();
      const outcome = await call(key);
      (startedAt > revokedAt ? after : before).push(outcome);
      if (after.length >= 200) isOver = true;
      if (before.length === 100 && revokedAt === Number.POSITIVE_INFINITY) {
        const { revoked } = await asked<{ revoked: boolean }>(server, { revoke: prefix }, 'revoked');
        expect(revoked).toBe(true);
        revokedAt = performance.now();
      }
    }
  };
  await Promise.all(Array.from({ length: 10 }, use));
  expect(before.slice(0, 90), 'calls with a key that is in use').toEqual(
    Array.from({ length: 90 }, () => 'user-0'),
  );
  expect(
    after.filter((outcome) => outcome !== '401'),
    'calls that were accepted after the key was revoked',
  ).toEqual([]);
  expect(await call(other.key), 'another key').toBe('user-1');
}

async function expectExpired(without: readonly Weakness[]): Promise<void> {
  const { server, keys, call } = await start(without);
  const [key, other] = [keys[19]?.key ?? '', keys[0]?.key ?? ''];
  await asked(server, { skip: 59_999 }, 'skipped');
  expect(await call(key), 'a key before it expires').toBe('user-19');
  await asked(server, { skip: 1 }, 'skipped');
  expect(await call(key), 'a key that has expired').toBe('401');
  expect(await call(other), 'a key without an end').toBe('user-0');
}

/** Three nodes that share a file of keys: the path of the file, its records, and the outcome of a call at each node. */
async function startNodes(without: readonly Weakness[]) {
  const folder = mkdtempSync(join(tmpdir(), 'key-nodes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const auth = { apiKeys: { file: './keys.json' }, resource: 'https://server.test/mcp' };
  const config = join(folder, 'server.json');
  writeFileSync(config, JSON.stringify({ name: 'keys', version: '1.0.0', auth }));
  const created = ['ada', 'bob'].map((id) => createApiKey({ id }));
  const write = (records: readonly object[]): void => {
    writeFileSync(join(folder, 'new.json'), JSON.stringify(records));
    renameSync(join(folder, 'new.json'), join(folder, 'keys.json'));
  };
  write(created.map(({ record }) => record));
  const env = { CONFIG_FILE: config };
  const nodes = await Promise.all(
    [1, 2, 3].map(() => ChildServer.listen('key-node-http.mjs', { without, env })),
  );
  const https = nodes.map(({ port }) => new HttpCaller(port, 10));
  const callAll = (key: string): Promise<readonly string[]> =>
    Promise.all(
      https.map(async (http) => {
        const ended = await new TokenClient(http, key).call('echo');
        return ended.status === 200 ? textOf(answerIn(ended) ?? {}) : String(ended.status);
      }),
    );
  return { created, write, callAll };
}

async function expectRevokedEverywhere(without: readonly Weakness[]): Promise<void> {
  const { created, write, callAll } = await startNodes(without);
  const [ada, bob] = created as [(typeof created)[number], (typeof created)[number]];
  expect(await callAll(ada.key), 'a key at each node').toEqual(['ada', 'ada', 'ada']);
  write([bob.record]);
  expect(await callAll(ada.key), 'a revoked key at each node').toEqual(['401', '401', '401']);
  expect(await callAll(bob.key), 'another key at each node').toEqual(['bob', 'bob', 'bob']);
}

const EVERYWHERE = 'a key that is removed from a shared file is rejected by the next request at every node';
const MISSES = '1,000 near misses are rejected';
const REVOKED = 'a key that is revoked while it is in use is rejected from then on';
const EXPIRED = 'a key ends when it expires';

promise('API keys are safe at rest', {
  checks: {
    'only hashes are stored': expectOnlyHashes,
    [MISSES]: expectNoNearMiss,
    [REVOKED]: expectRevoked,
    [EXPIRED]: expectExpired,
    [EVERYWHERE]: expectRevokedEverywhere,
  },
  switches: [
    {
      defence: 'hashes in the place of keys',
      off: [{ module: 'auth/api-keys.js', defence: 'only-hashes-are-stored', by: 'key' }],
      red: /keys that can be read from the store/,
    },
    {
      defence: 'a look at the whole key',
      off: [{ module: 'auth/api-keys.js', defence: 'hash-of-a-key', by: 'return true;' }],
      check: MISSES,
      red: /near misses that were accepted/,
    },
    {
      defence: 'a look into the store for every request',
      off: [
        {
          module: 'auth/api-keys.js',
          defence: 'keys-of-the-store',
          by: '((globalThis.kept ??= new Map()).get(prefix) ?? (globalThis.kept.set(prefix, $&), globalThis.kept.get(prefix)))',
        },
      ],
      check: REVOKED,
      red: /calls that were accepted after the key was revoked/,
    },
    {
      defence: 'a look at the file for every request',
      off: [
        {
          module: 'config/auth/api-key-file.js',
          defence: 'keys-of-the-file',
          by: 'if (this.#records.size === 0) $&',
        },
      ],
      check: EVERYWHERE,
      red: /a revoked key at each node/,
    },
    {
      defence: 'an end to keys',
      off: [{ module: 'auth/api-keys.js', defence: 'end-of-a-key' }],
      check: EXPIRED,
      red: /a key that has expired/,
    },
  ],
});
