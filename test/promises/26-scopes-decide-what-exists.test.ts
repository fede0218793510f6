/**
 * Scopes are enforced for every item, in lists and in calls, in both modes. `missingScopes: 'hide'`: a caller without them gets what it
 * would get if the item did not exist; a 403 would tell that the item is there. `'challenge'`: the tool is listed, and its call is a 403
 * with all scopes that it needs, before validation. A policy hides in both.
 */
import { expect } from 'vitest';
import { textOf } from '../protocol/support/rpc.ts';
import type { RpcMessage } from '../protocol/support/rpc.ts';
import { asked } from './support/asked.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { answerIn, HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import type { Json } from './support/mcp-socket.ts';
import { promise } from './support/promise.ts';
import { comparable, TokenClient } from './support/token-client.ts';

const ITEMS = Array.from({ length: 20 }, (_, index) => `item_${String(index).padStart(2, '0')}`);
const LETTERS = ['a', 'b', 'c', 'd', 'e'] as const;

/** A caller: its token and its scopes. */
interface ScopeSet {
  readonly token: string;
  readonly granted: readonly string[];
}

/** Twenty sets: seventeen arrays of scopes, and three values that only resemble one. */
const SETS: readonly ScopeSet[] = [
  ...[0, 1, 2, 3, 4, 7, 8, 11, 14, 15, 16, 19, 21, 24, 27, 30, 31].map((mask) => {
    const granted = LETTERS.filter((_, bit) => (mask & (1 << bit)) !== 0);
    return { token: `list:${granted.join(',')}`, granted };
  }),
  { token: 'none:', granted: [] },
  { token: 'list:ab,cd,A,B,a*,*', granted: [] },
  { token: 'list:e,e,d,d,extra', granted: ['d', 'e'] },
];

/** Scopes of an item, from the bits of its index: item 13, which is 1101 in binary, has a, c and d. */
function isGranted(index: number, { granted }: ScopeSet): boolean {
  return LETTERS.every((letter, bit) => (index & (1 << bit)) === 0 || granted.includes(letter));
}

/** A kind of item: how to list and how to use it. */
interface Door {
  readonly path: string;
  /** The request that lists the items. */
  readonly list: readonly [method: string, params: Json];
  /** What uses one. */
  readonly use: (item: string, args?: Json) => readonly [method: string, params: Json];
  readonly isLegacy?: true;
}

/** Findings for one kind of item. */
interface Found {
  readonly wrong: string[];
  /** Differences between the responses for hidden and for unknown items. */
  readonly told: string[];
  decided: number;
  /** Number of handler runs. */
  ran: number;
}

const call = (name: string, args: Json = {}): readonly [string, Json] => [
  'tools/call',
  { name, arguments: args },
];
const TOOLS: readonly Door[] = [
  { path: '/flat', list: ['tools/list', {}], use: (item, args) => call(`all_${item}`, args) },
  {
    path: '/grouped',
    list: ['tools/list', {}],
    use: (item, args) => call('all', { action: item, ...args }),
  },
  {
    path: '/search',
    list: call('search_tools', { query: 'item', limit: 20 }),
    use: (item, args = {}) => call('call_tool', { name: `all.${item}`, arguments: args }),
  },
];
const LEGACY: readonly Door[] = [
  { path: '/flat', list: ['tools/list', {}], use: (item, args) => call(`all_${item}`, args), isLegacy: true },
];
const OTHERS: readonly Door[] = [
  { path: '/flat', list: ['prompts/list', {}], use: (item) => ['prompts/get', { name: item }] },
  {
    path: '/flat',
    list: ['resources/list', {}],
    use: (item) => ['resources/read', { uri: `item://${item}` }],
  },
];

type Ask = (request: readonly [string, Json]) => Promise<Ended>;

/** Sends a request to the server, or to the server that lacks an item. */
async function askAt(
  http: HttpCaller,
  token: string,
  { path, isLegacy }: Pick<Door, 'path' | 'isLegacy'>,
): Promise<Ask> {
  const client = new TokenClient(http, token, { path });
  const session = isLegacy === true ? await client.openSession() : undefined;
  return async ([method, params]) => {
    const ended =
      session === undefined
        ? await client.modern(method, params, { id: 1 })
        : await client.inSession(session, { method, params });
    // Without a response nothing was revealed, but nothing was decided either.
    if (ended.loss !== undefined) throw new Error(`no answer: ${ended.loss}`);
    return ended;
  };
}

/** Whether a response comes from the handler of an item. */
function isServed(ended: Ended, item: string): boolean {
  return ended.status === 200 && ended.text.includes(`ran ${item}`);
}

/** The items named in a list of any kind. */
function itemsIn(ended: Ended): string[] {
  const answer: RpcMessage = answerIn(ended) ?? {};
  const named: string | undefined = JSON.stringify(
    answer.result?.content === undefined ? answer.result : textOf(answer),
  );
  return ITEMS.filter((item) => named?.includes(item));
}

/** All twenty sets of scopes for one kind of item. */
async function lookAt(http: HttpCaller, door: Door): Promise<Found> {
  const found: Found = { wrong: [], told: [], decided: 0, ran: 0 };
  for (const set of SETS) {
    // Enough findings to fail.
    if (found.wrong.length + found.told.length > 20) break;
    const ask = await askAt(http, set.token, door);
    const visible = ITEMS.filter((_, index) => isGranted(index, set));
    const listed = itemsIn(await ask(door.list));
    if (listed.join() !== visible.join()) found.wrong.push(`${set.token} sees ${listed.join()}`);
    found.ran += visible.length;
    for (const [index, item] of ITEMS.entries()) {
      const ended = await ask(door.use(item));
      found.decided += 1;
      if (isServed(ended, item) !== visible.includes(item))
        found.wrong.push(`${set.token} uses ${item}: ${ended.text}`);
      if (visible.includes(item)) continue;
      const elsewhere = await askAt(http, set.token, { ...door, path: `${door.path}/${index}` });
      const unknown = await elsewhere(door.use(item));
      if (JSON.stringify(comparable(ended)) !== JSON.stringify(comparable(unknown)))
        found.told.push(`${set.token} uses ${item}: ${ended.text} instead of ${unknown.text}`);
      const named = ITEMS.filter((other) => other !== item && ended.text.includes(other));
      if (!named.every((other) => visible.includes(other)))
        found.told.push(`${set.token} is told of ${named.join()}`);
    }
  }
  return found;
}

function lookAtAll(doors: readonly Door[]): (without: readonly Weakness[]) => Promise<void> {
  return async (without) => {
    const server = await ChildServer.listen('scoped-http.mjs', { without });
    const http = new HttpCaller(server.port);
    let expected = 0;
    for (const door of doors) {
      const { wrong, told, decided, ran } = await lookAt(http, door);
      expected += ran;
      expect(wrong, `decisions that are wrong at ${door.path} (${door.list[0]})`).toEqual([]);
      expect(told, `ways to tell what is hidden from what is unknown at ${door.path}`).toEqual([]);
      expect(decided, 'decisions').toBe(400);
    }
    expect(await asked(server, 'handled', 'handled'), 'handlers that ran').toEqual({ handled: expected });
    http.close();
  };
}

/** The items that a policy hides from everyone, in the servers that challenge. */
const HIDDEN = new Set(['item_05', 'item_16']);
const WRONG = { count: 'many' };

/** The mistakes of a server that challenges missing scopes, for one caller at one door. */
async function findUnchallenged(http: HttpCaller, door: Door, set: ScopeSet): Promise<string[]> {
  const wrong: string[] = [];
  const ask = await askAt(http, set.token, door);
  const listed = itemsIn(await ask(door.list)).join();
  const expected = ITEMS.filter((item) => !HIDDEN.has(item)).join();
  if (listed !== expected) wrong.push(`${set.token} sees ${listed}`);
  for (const [index, item] of ITEMS.entries()) {
    const found = await ask(door.use(item, WRONG));
    if (HIDDEN.has(item)) {
      const elsewhere = await askAt(http, set.token, { ...door, path: `${door.path}/${index}` });
      const unknown = await elsewhere(door.use(item, WRONG));
      if (JSON.stringify(comparable(found)) !== JSON.stringify(comparable(unknown)))
        wrong.push(`${set.token} uses ${item}, which a policy hides: ${found.text}`);
    } else if (isGranted(index, set)) {
      if (found.status !== 200)
        wrong.push(`${set.token} uses ${item} wrongly: ${found.status} ${found.text}`);
      const served = await ask(door.use(item));
      if (!isServed(served, item)) wrong.push(`${set.token} uses ${item}: ${served.text}`);
    } else {
      const needed = LETTERS.filter((_, bit) => (index & (1 << bit)) !== 0).join(' ');
      const challenge = found.headers['www-authenticate'];
      if (found.status !== 403 || challenge !== `Bearer error="insufficient_scope", scope="${needed}"`)
        wrong.push(`${set.token} uses ${item}: ${found.status} ${challenge ?? found.text}`);
    }
  }
  return wrong;
}

async function expectChallenges(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('scoped-http.mjs', { without });
  const http = new HttpCaller(server.port);
  const doors = [...TOOLS, ...LEGACY].map((door) => ({ ...door, path: `/challenge-${door.path.slice(1)}` }));
  for (const door of doors) {
    const sets = without.length > 0 ? SETS.slice(0, 6) : SETS;
    const wrong = (await Promise.all(sets.map((set) => findUnchallenged(http, door, set)))).flat();
    expect(wrong, `calls that were not challenged as they should be at ${door.path}`).toEqual([]);
  }
  const granted = SETS.flatMap((set) =>
    ITEMS.filter((item, index) => !HIDDEN.has(item) && isGranted(index, set)),
  );
  expect(await asked(server, 'handled', 'handled'), 'handlers that ran').toEqual({
    handled: granted.length * doors.length,
  });
  http.close();
}

/** A string would be searched as if it were an array: `'abcde'.includes('a')`. */
async function expectRejected(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('scoped-http.mjs', { without });
  const http = new HttpCaller(server.port);
  for (const door of [...TOOLS, ...OTHERS]) {
    const ask = await askAt(http, 'text:abcde', door);
    const statuses = [(await ask(door.list)).status, (await ask(door.use('item_01'))).status];
    expect(statuses, `requests with scopes in one string at ${door.path}`).toEqual([401, 401]);
  }
  expect(await asked(server, 'handled', 'handled'), 'handlers that ran').toEqual({ handled: 0 });
  http.close();
}

const CHALLENGES = 'with missingScopes: challenge, a tool is listed and its call is a 403 before validation';
const NAMES = 'tools in every exposure: 400 of 400 decisions, in the list and in calls';
const OTHER_KINDS = 'prompts and resources';
const STRINGS = 'a principal whose scopes are one string is rejected';

promise('scopes decide what exists', {
  checks: {
    [NAMES]: lookAtAll(TOOLS),
    'tools in a session of 2025-11-25': lookAtAll(LEGACY),
    [OTHER_KINDS]: lookAtAll(OTHERS),
    [CHALLENGES]: expectChallenges,
    [STRINGS]: expectRejected,
  },
  switches: [
    {
      defence: 'the check of scopes',
      off: [{ module: 'pipeline/visibility/guard.js', defence: 'scopes' }],
      red: /decisions that are wrong/,
    },
    {
      defence: 'the check of all scopes',
      off: [
        {
          module: 'pipeline/tool/policy.js',
          defence: 'all-scopes',
          by: 'return arguments[0].some((scope) => arguments[1].principal.scopes.includes(scope));',
        },
      ],
      red: /decisions that are wrong/,
    },
    {
      defence: 'the check that scopes are an array',
      off: [
        { module: 'pipeline/tool/read-principal.js', defence: 'grants-of-a-principal' },
        {
          module: 'pipeline/tool/policy.js',
          defence: 'scopes-are-a-list',
          by: 'if (arguments[1].principal?.scopes === undefined) return arguments[0].length === 0;',
        },
      ],
      check: STRINGS,
      red: /requests with scopes in one string/,
    },
    {
      defence: 'suggestions of visible items only',
      off: [{ module: 'pipeline/neighbours.js', defence: 'visible-neighbours', by: 'return true;' }],
      red: /ways to tell what is hidden/,
    },
    {
      defence: 'a challenge before anything else of a call',
      off: [{ module: 'pipeline/handle-call.js', defence: 'scope-challenge' }],
      check: CHALLENGES,
      red: /calls that were not challenged as they should be/,
    },
  ],
});
