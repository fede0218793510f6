/**
 * The ids of everything that a caller begins: a foreign one gets the response of an unknown one, with the same status, body and length. In every
 * exposure; at other servers of the process that share its stores, its registry or its tools; for callers whose names look alike; and for two issuers whose tokens
 * name the same subject. Cached results and notifications, which have no ids, stay with their caller and their server.
 */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { accept, TASKS, textOf } from '../protocol/support/rpc.ts';
import type { RpcMessage } from '../protocol/support/rpc.ts';
import { createTestIssuer } from '../../src/testing.ts';
import type { TestIssuer } from '../../src/testing.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { answerIn, HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { until } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';
import { comparable, TokenClient } from './support/token-client.ts';

const USERS = 50;
const CAPABILITIES = { ...TASKS, elicitation: {} };
const FIRST = { part: 'first' } as const;

/** Ids of sessions, streams and tasks of a user. */
interface Ids {
  readonly session: string;
  /** The first event of a stream with a call of that session. */
  readonly event: string;
  /** A client of 2024-11-05. */
  readonly sse: string;
  readonly task: string;
  readonly state: string;
  /** The confirmation of a call. */
  readonly confirmation: string;
  /** The rest of a long response. */
  readonly rest: string;
  /** A value that is stored. */
  readonly handle: string;
}

type Params = { readonly name: string; readonly arguments: object };

/** Writes a call of a tool, by exposure. */
const EXPOSURES = {
  flat: (name: string, args: object): Params => ({ name, arguments: args }),
  grouped: (name: string, args: object): Params => ({ name: 'all', arguments: { action: name, ...args } }),
  search: (name: string, args: object): Params => ({
    name: 'call_tool',
    arguments: { name, arguments: args },
  }),
};
type Exposure = keyof typeof EXPOSURES;

/** Somebody who has begun nothing yet. */
interface Person {
  /** The id of the principal. */
  readonly name: string;
  readonly token: string;
}

/** A user, and the ids that it owns. */
interface User {
  readonly name: string;
  readonly exposure: Exposure;
  readonly client: TokenClient;
  /** The same user at the other servers of the process. */
  readonly elsewhere: readonly TokenClient[];
  readonly ids: Ids;
}

/** Ids that do not exist. */
function unknownIds({ state, rest }: Ids): Ids {
  const id = (): string => randomBytes(16).toString('hex');
  return {
    session: id(),
    event: `${id()}_0`,
    sse: id(),
    task: id(),
    rest: `${id()}.${rest.split('.').slice(1).join('.')}`,
    confirmation: randomBytes(18).toString('hex'),
    handle: id(),
    // The name of the key is the true one.
    state: `${state.slice(0, 12)}${randomBytes(state.length)
      .toString('base64url')
      .slice(0, state.length - 12)}`,
  };
}

type Use = (client: TokenClient, ids: Ids, own: Ids) => Promise<Ended>;

/** Every way to use an id. `own` is the session of whoever tries. */
function routesIn(exposure: Exposure): Readonly<Record<string, Use>> {
  return {
    'POST in a session': (client, { session }) => client.inSession(session, whoami(exposure)),
    'GET of a session': (client, { session }) => client.listen(session, undefined, FIRST),
    'Last-Event-ID in a session': (client, { session, event }) => client.listen(session, event, FIRST),
    'Last-Event-ID in an own session': (client, { event }, own) => client.listen(own.session, event, FIRST),
    'DELETE of a session': (client, { session }) => client.leave(session),
    'POST to a stream of 2024-11-05': (client, { sse }) => client.tell(sse, 'ping'),
    'tasks/get': (client, { task }) => askTask(client, 'tasks/get', { taskId: task }),
    'tasks/update': (client, { task }) =>
      askTask(client, 'tasks/update', { taskId: task, inputResponses: { name: accept({ name: 'evil' }) } }),
    'tasks/cancel': (client, { task }) => askTask(client, 'tasks/cancel', { taskId: task }),
    subscriptions: (client, { task }) =>
      client.modern(
        'subscriptions/listen',
        { notifications: { toolsListChanged: true, taskIds: [task] } },
        // Above 16 open subscriptions, every other one would be rejected.
        { id: 1, capabilities: CAPABILITIES, part: 'first-and-close' },
      ),
    requestState: (client, { state }) => goOn(client, state, exposure),
    confirmation: (client, { confirmation }) => remove(client, exposure, confirmation),
    'the rest of a response': (client, { rest }) =>
      client.modern('tools/call', EXPOSURES[exposure]('long', { continue_from: rest }), { id: 1 }),
    'a handle': (client, { handle }) =>
      client.modern('tools/call', EXPOSURES[exposure]('kept', { handle }), { id: 1 }),
  };
}

function whoami(exposure: Exposure): { method: string; params: Params } {
  return { method: 'tools/call', params: EXPOSURES[exposure]('whoami', {}) };
}

function askTask(client: TokenClient, method: string, params: object): Promise<Ended> {
  return client.modern(method, params, { id: 1, capabilities: CAPABILITIES });
}

function goOn(client: TokenClient, requestState: string, exposure: Exposure): Promise<Ended> {
  const inputResponses = { name: accept({ name: 'evil' }) };
  const params = { ...EXPOSURES[exposure]('ask', {}), requestState, inputResponses };
  return client.modern('tools/call', params, { id: 1, capabilities: CAPABILITIES });
}

/** Deletes a page with a confirmation, or asks for one. */
function remove(client: TokenClient, exposure: Exposure, confirmation?: string): Promise<Ended> {
  const confirmed = confirmation === undefined ? {} : { confirmation_token: confirmation };
  return client.modern('tools/call', EXPOSURES[exposure]('delete', { page: 'a', ...confirmed }), { id: 1 });
}

async function confirm({ client, exposure }: Pick<User, 'client' | 'exposure'>): Promise<string> {
  const text = textOf(answerIn(await remove(client, exposure)) ?? {});
  const token = /confirmation_token "(\w+)"/.exec(text)?.[1];
  if (token === undefined) throw new Error(`no confirmation: ${text}`);
  return token;
}

/** The token and the name of an anonymous caller. */
const ANONYMOUS = '-';
const NOBODY = '(anonymous)';

function handleOf(kept: Ended): string {
  return /^[\da-f]+$/.exec(textOf(answerIn(kept) ?? {}))?.[0] ?? '';
}

async function begin(http: HttpCaller, { name, token }: Person, exposure: Exposure): Promise<User> {
  const client = new TokenClient(http, token, { path: '/one' });
  const session = await client.openSession();
  const params = { ...EXPOSURES[exposure]('talk', {}), _meta: { progressToken: 1 } };
  const talk = await client.inSession(session, { method: 'tools/call', params, id: 'talk' }, FIRST);
  const call = (tool: string): Promise<Ended> =>
    client.modern('tools/call', EXPOSURES[exposure](tool, {}), { capabilities: CAPABILITIES });
  const asked = await call('ask');
  const job = await call('job');
  const stream = await client.connect();
  const ids = {
    session,
    event: /^id: (\S+)$/m.exec(talk.text)?.[1] ?? '',
    sse: /sessionId=(\w+)/.exec(stream.text)?.[1] ?? '',
    task: answerIn(job)?.result?.taskId ?? '',
    state: answerIn(asked)?.result?.requestState ?? '',
    confirmation: await confirm({ client, exposure }),
    rest: /"toolwright\/continue":"([\w.]+)"/.exec((await call('long')).text)?.[1] ?? '',
    // An anonymous caller has none.
    handle: token === ANONYMOUS ? randomBytes(16).toString('hex') : handleOf(await call('keep')),
  };
  for (const [kind, id] of Object.entries(ids)) if (id === '') throw new Error(`no ${kind} for ${name}`);
  const elsewhere = ['/two', '/three'].map((path) => new TokenClient(http, token, { path }));
  return { name, exposure, client, elsewhere, ids };
}

/** A server, its users, and what it is like. */
interface Setting {
  readonly people: readonly Person[];
  readonly exposure?: Exposure;
  readonly issuers?: readonly TestIssuer[];
  /** Whether users also try the ids of others at other servers. Default: only their own. */
  readonly crosses?: boolean;
}

function named(count: number): Person[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `user-${String(index).padStart(2, '0')}`;
    return { name, token: name };
  });
}

async function start(
  without: readonly Weakness[],
  { people, exposure = 'flat', issuers }: Setting,
): Promise<{ server: ChildServer; http: HttpCaller; users: User[] }> {
  // A stream that says nothing, as one without a defence may, is soon over.
  const http = without.length > 0 ? { HTTP_OPTIONS: '{"keepAliveMs":300}' } : {};
  const keys = issuers?.map(({ issuer, jwks }) => [issuer, jwks]);
  const env = {
    ...http,
    SERVER_OPTIONS: JSON.stringify({ exposure }),
    ...(keys === undefined ? {} : { ISSUERS: JSON.stringify(Object.fromEntries(keys)) }),
  };
  const server = await ChildServer.listen('owned-http.mjs', { without, env });
  const caller = new HttpCaller(server.port);
  const users = await Promise.all(people.map((person) => begin(caller, person, exposure)));
  return { server, http: caller, users };
}

/** A response without the requested id. */
function withoutIds(ended: Ended, ids: Ids): string {
  if (ended.loss !== undefined) throw new Error(`no answer: ${ended.loss}`);
  return Object.values(ids).reduce<string>(
    (text, id: string) => text.replaceAll(id, '(id)'),
    JSON.stringify(comparable(ended)),
  );
}

/** The responses of all routes to ids, by route. */
async function tryAll(client: TokenClient, ids: Ids, { exposure, own }: Trier): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const [route, use] of Object.entries(routesIn(exposure)))
    seen.set(route, withoutIds(await use(client, ids, own), ids));
  return seen;
}

/** Somebody who tries ids, at one of the servers. */
interface Trier {
  readonly exposure: Exposure;
  /** Its own ids there. */
  readonly own: Ids;
}

/** The routes on which somebody gets something else for the ids of others than for ids that nobody has, and the pairs that were tried. */
async function findTold(
  client: TokenClient,
  victims: readonly User[],
  trier: Trier,
): Promise<{ readonly told: string[]; readonly tried: number }> {
  const expected = await tryAll(client, unknownIds(trier.own), trier);
  const told: string[] = [];
  let tried = 0;
  for (const victim of victims) {
    // A confirmation that was tried is used up.
    const ids = { ...victim.ids, confirmation: await confirm(victim) };
    for (const [route, found] of await tryAll(client, ids, trier)) {
      tried += 1;
      if (found !== expected.get(route))
        told.push(`${route} as ${victim.name}: ${found} instead of ${expected.get(route)}`);
    }
  }
  return { told, tried };
}

/** What an owner does not find as it left it. */
async function findLost({ name, client, ids, exposure }: User): Promise<string[]> {
  const lost: string[] = [];
  const look = (what: string, isThere: boolean, found: unknown): void => {
    if (!isThere) lost.push(`${name}, ${what}: ${JSON.stringify(found)}`);
  };
  const call = await client.inSession(ids.session, whoami(exposure));
  look('session', textOf(answerIn(call) ?? {}) === name, call);
  const events = { text: '' };
  void client.listen(ids.session, ids.event, { onPart: (text) => (events.text = text) });
  await until(() => events.text.includes(`for ${name}`), 5000, 'the events of an owner').catch(() => {});
  look('events', events.text.includes(`for ${name}`), events);
  look('2024-11-05', (await client.tell(ids.sse, 'ping')).status === 202, undefined);
  const task = async (): Promise<RpcMessage['result']> =>
    answerIn(await askTask(client, 'tasks/get', { taskId: ids.task }))?.result;
  const waiting = await task();
  look('task', waiting?.status === 'input_required', waiting);
  const inputResponses = { name: accept({ name }) };
  await askTask(client, 'tasks/update', { taskId: ids.task, inputResponses });
  await until(async () => (await task())?.status === 'completed', 5000, 'the end of a task').catch(() => {});
  const done = await task();
  look('result of the task', JSON.stringify(done?.['result'])?.includes(`"text":"${name}"`), done);
  const state = await goOn(client, ids.state, exposure);
  look('requestState', textOf(answerIn(state) ?? {}).startsWith('Hello evil in step '), state);
  const rest = await client.modern('tools/call', EXPOSURES[exposure]('long', { continue_from: ids.rest }));
  const kept = await client.modern('tools/call', EXPOSURES[exposure]('kept', { handle: ids.handle }));
  const isKept = textOf(answerIn(kept) ?? {}) === `kept for ${name}`;
  look('handle', isKept || name === NOBODY, kept);
  look('rest of a response', textOf(answerIn(rest) ?? {}).startsWith('['), rest);
  return lost;
}

/** `foreign`: the number of other users whose ids each user tries. */
async function expectOwnersIn(
  without: readonly Weakness[],
  setting: Setting,
  foreign: number,
): Promise<void> {
  const { http, users } = await start(without, setting);
  const found = await Promise.all(
    users.map(({ client, exposure, ids: own }, index) => {
      const others = [...users.slice(index + 1), ...users.slice(0, index)].slice(0, foreign);
      return findTold(client, others, { exposure, own });
    }),
  );
  expect(
    found.flatMap(({ told }, index) => told.map((route) => `${users[index]?.name}, ${route}`)),
    'ids of others that are not like ids of nobody',
  ).toEqual([]);
  expect(
    found.reduce((sum, { tried }) => sum + tried, 0),
    'ids of others that were tried, on all routes',
  ).toBe(users.length * foreign * 14);
  // And the ids of one server at another.
  const atOthers = await Promise.all(
    users.flatMap((user) =>
      user.elsewhere.map(async (client) => {
        const own = { ...user.ids, session: await client.openSession() };
        const victims = setting.crosses === true ? users : [user];
        return (await findTold(client, victims, { exposure: user.exposure, own })).told;
      }),
    ),
  );
  expect(atOthers.flat(), 'ids of one server that are not like ids of nobody at another').toEqual([]);
  const lost = await Promise.all(users.map((user) => findLost(user)));
  expect(lost.flat(), 'what owners do not find as they left it').toEqual([]);
  http.close();
}

async function expectOwners(without: readonly Weakness[]): Promise<void> {
  const isWeak = without.length > 0;
  await expectOwnersIn(without, { people: named(isWeak ? 3 : USERS) }, isWeak ? 2 : USERS - 1);
}

/** Callers that are one if ids, tenants and names of servers are joined with a separator, or if one of them is left out. */
const ALIKE: readonly Person[] = [
  ['eve', 'eve'],
  // The second server is named `one:principal:x`.
  ['x:principal:eve', 'x:principal:eve'],
  ['a', 'a'],
  ['a', 'a~b'],
  ['a', 'a~b:c'],
  ['a:b', 'a:b~c'],
  [NOBODY, ANONYMOUS],
  ['anonymous', 'anonymous'],
].map(([name = '', token = '']) => ({ name, token }));

async function expectOwnersAlike(without: readonly Weakness[]): Promise<void> {
  await expectOwnersIn(without, { people: ALIKE, crosses: true }, ALIKE.length - 1);
}

/** A cached result is for the caller that caused it, at its server. */
async function expectCached(without: readonly Weakness[]): Promise<void> {
  const people = ALIKE.filter(({ token }) => token !== '-');
  for (const exposure of Object.keys(EXPOSURES) as Exposure[]) {
    const { http, users } = await start(without, { people, exposure });
    const read = async (client: TokenClient): Promise<string> =>
      textOf(answerIn(await client.modern('tools/call', EXPOSURES[exposure]('mine', {}))) ?? {});
    const seen: string[] = [];
    for (const { name, client, elsewhere } of users) {
      for (const each of [client, ...elsewhere]) {
        const [first, again] = [await read(each), await read(each)];
        expect(again, 'a result that is cached').toBe(first);
        expect(first.replace(/ \d+$/, ''), 'the caller of a cached result').toBe(name);
        seen.push(first);
      }
    }
    expect(new Set(seen).size, 'results that callers and servers do not share').toBe(people.length * 3);
    http.close();
  }
}

/** A notification of one server does not reach the subscribers of another on the same bus. */
async function expectNotified(without: readonly Weakness[]): Promise<void> {
  const { http, server, users } = await start(without, { people: named(1) });
  const [user] = users as [User];
  const heard = [user.client, ...user.elsewhere].map((client) => {
    const events = { text: '' };
    const notifications = { resourceSubscriptions: ['note://1', 'note://2'] };
    void client.modern('subscriptions/listen', { notifications }, { onPart: (text) => (events.text = text) });
    return events;
  });
  await until(() => heard.every(({ text }) => text.includes('acknowledged')), 5000, 'the subscriptions');
  const uris = (text: string): string[] =>
    Array.from(text.matchAll(/resources\/updated","params":\{"uri":"([^"]+)"/g), ([, uri = '']) => uri);
  server.process.send({ update: 'note://1', server: 'one' });
  for (const name of ['one', 'two', 'three']) server.process.send({ update: 'note://2', server: name });
  await until(() => heard.every(({ text }) => uris(text).includes('note://2')), 5000, 'the notifications');
  expect(
    heard.map(({ text }) => uris(text)),
    'the notifications of each server',
  ).toEqual([['note://1', 'note://2'], ['note://2'], ['note://2']]);
  http.close();
}

/** Of every two people, the tokens name the same subject and come from different issuers. */
async function expectOwnersOfTokens(without: readonly Weakness[]): Promise<void> {
  const isWeak = without.length > 0;
  const issuers = [
    await createTestIssuer({ issuer: 'https://one.test' }),
    await createTestIssuer({ issuer: 'https://two.test' }),
  ] as const;
  const people = await Promise.all(
    Array.from({ length: isWeak ? 4 : USERS }, async (_, index): Promise<Person> => {
      const { issuer, tokenFor } = issuers[(index % 2) as 0 | 1];
      const sub = `user-${String(index >> 1).padStart(2, '0')}`;
      return { name: `${issuer}|${sub}`, token: await tokenFor({ sub }) };
    }),
  );
  const exposures = isWeak ? (['flat'] as const) : (Object.keys(EXPOSURES) as Exposure[]);
  for (const exposure of exposures)
    await expectOwnersIn(without, { people, exposure, issuers }, isLong ? USERS - 1 : 1);
}

async function expectRandomIds(without: readonly Weakness[]): Promise<void> {
  const { http, users } = await start(without, { people: named(USERS) });
  for (const kind of ['session', 'event', 'sse', 'task', 'handle'] as const) {
    const ids = users.map((user) => user.ids[kind].replace(/_\d*$/, ''));
    expect(new Set(ids).size, `different ids (${kind})`).toBe(USERS);
    for (const id of ids) expect(id, `an id of 128 bits (${kind})`).toMatch(/^[\da-f]{32}$/);
    for (let place = 0; place < 32; place += 1) {
      const digits = new Set(ids.map((id) => id[place]));
      // Of 50 draws out of 16, fewer than 8 different ones come once in a hundred billion times.
      expect(digits.size, `digits in place ${place} (${kind})`).toBeGreaterThanOrEqual(8);
    }
  }
  http.close();
}

/** Anonymous callers over HTTP cannot be distinguished: none of them has state. */
async function expectNoStateOfAnonymous(without: readonly Weakness[]): Promise<void> {
  const people = [{ name: NOBODY, token: ANONYMOUS }];
  const { http, users } = await start(without, { people });
  for (const { client } of users) {
    const kept = await client.modern('tools/call', EXPOSURES.flat('keep', {}));
    expect(handleOf(kept), 'the state of an anonymous caller').toBe('');
    expect(kept.text).toContain('ANONYMOUS_CALLER');
  }
  http.close();
}

const STATELESS = 'anonymous callers have no state';
const RANDOM = 'ids are 128 random bits';
const TOKENS = 'with tokens of two issuers that name the same subjects, in every exposure';
const SIMILAR = 'for callers and servers whose names look alike';
const CACHED = 'cached results stay with their caller and their server';
const NOTIFIED = 'notifications stay with their server';
const OTHERS = /ids of others that are not like ids of nobody/;
const SERVERS = /ids of one server that are not like ids of nobody at another/;

promise('what is begun belongs to who began it', {
  timeoutMs: isLong ? 600_000 : 240_000,
  checks: {
    'the ids of others, and those of another server, are ids of nobody': expectOwners,
    [TOKENS]: expectOwnersOfTokens,
    [SIMILAR]: expectOwnersAlike,
    [CACHED]: expectCached,
    [NOTIFIED]: expectNotified,
    [STATELESS]: expectNoStateOfAnonymous,
    [RANDOM]: expectRandomIds,
  },
  switches: [
    {
      defence: 'owners of sessions',
      off: [{ module: 'transport/http/legacy/session-table.js', defence: 'owners-of-sessions' }],
      red: OTHERS,
    },
    {
      defence: 'owners of clients of 2024-11-05',
      off: [{ module: 'transport/http/legacy/sse-endpoints.js', defence: 'owners-of-sse-clients' }],
      red: OTHERS,
    },
    {
      defence: 'events of own streams only',
      off: [
        { module: 'transport/http/legacy/http-session.js', defence: 'events-of-own-streams', by: 'true' },
        { module: 'transport/http/legacy/event-stream.js', defence: 'nothing-stored-nothing-missed' },
      ],
      red: OTHERS,
    },
    {
      defence: 'owners of tasks',
      off: [{ module: 'tasks/task-runner.js', defence: 'owners-of-tasks' }],
      red: OTHERS,
    },
    {
      defence: 'owners of states',
      off: [{ module: 'wire/methods/rounds.js', defence: 'owner-of-a-state' }],
      red: OTHERS,
    },
    {
      defence: 'owners of confirmations',
      off: [{ module: 'pipeline/confirmation-binding.js', defence: 'owner-of-a-confirmation' }],
      red: OTHERS,
    },
    {
      defence: 'owners of the rest of a response',
      off: [{ module: 'openapi/response/model/remainder-store.js', defence: 'owner-of-a-rest' }],
      red: OTHERS,
    },
    {
      defence: 'owners of cached results',
      off: [{ module: 'middleware/builtin/result-cache.js', defence: 'owner-of-a-cached-result' }],
      check: CACHED,
      red: /the caller of a cached result/,
    },
    {
      defence: 'the name of the server in owners',
      off: [{ module: 'middleware/parts/caller-identity.js', defence: 'server-of-an-owner' }],
      red: SERVERS,
    },
    {
      defence: 'the name of the server in owners of cached results',
      off: [{ module: 'middleware/parts/caller-identity.js', defence: 'server-of-an-owner' }],
      check: CACHED,
      red: /results that callers and servers do not share/,
    },
    {
      defence: 'the name of the server in mounted tools',
      off: [{ module: 'tools/components/mount-tool.js', defence: 'server-of-a-mounted-tool' }],
      red: SERVERS,
    },
    {
      defence: 'the parts of an owner, apart',
      off: [
        {
          module: 'middleware/parts/caller-identity.js',
          defence: 'parts-of-an-owner',
          by: "return [arguments[1], ...identityOf(arguments[0])].join(':');",
        },
      ],
      check: SIMILAR,
      red: OTHERS,
    },
    {
      defence: 'the tenant in owners',
      off: [
        {
          module: 'middleware/parts/caller-identity.js',
          defence: 'name-of-a-caller',
          by: "return ['principal', arguments[0].principal.id];",
        },
      ],
      check: SIMILAR,
      red: OTHERS,
    },
    {
      defence: 'the name of the server in notifications',
      off: [{ module: 'stores/event-bus.js', defence: 'events-of-this-server' }],
      check: NOTIFIED,
      red: /the notifications of each server/,
    },
    {
      defence: 'the issuer in the id of a principal',
      off: [{ module: 'auth/claims.js', defence: 'issuer-of-a-principal', by: 'return subject;' }],
      check: TOKENS,
      red: OTHERS,
    },
    {
      defence: 'no state that anonymous callers share',
      off: [{ module: 'middleware/parts/caller-identity.js', defence: 'no-state-for-everybody' }],
      check: STATELESS,
      red: /the state of an anonymous caller/,
    },
    {
      defence: 'enough random bits',
      off: [{ module: 'base/random-id.js', defence: 'random-bits', by: '8' }],
      check: RANDOM,
      red: /an id of 128 bits/,
    },
  ],
});
