import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { accept, TASKS, textOf } from '../protocol/support/rpc.ts';
import type { RpcMessage } from '../protocol/support/rpc.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { answerIn, HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { until } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';
import { comparable, TokenClient } from './support/token-client.ts';

const USERS = 50;
/** Number of other users whose ids each user tries. */
const FOREIGN = isLong ? USERS - 1 : 5;
const CAPABILITIES = { ...TASKS, elicitation: {} };
const WHOAMI = { method: 'tools/call', params: { name: 'whoami', arguments: {} } };
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
}

/** A user, and the ids that it owns. */
interface User {
  readonly name: string;
  readonly client: TokenClient;
  /** The same user at another server of the process. */
  readonly elsewhere: TokenClient;
  readonly ids: Ids;
}

/** Ids that do not exist. */
function unknownIds({ state }: Ids): Ids {
  const id = (): string => randomBytes(16).toString('hex');
  return {
    session: id(),
    event: `${id()}_0`,
    sse: id(),
    task: id(),
    state: `v1.${randomBytes(state.length)
      .toString('base64url')
      .slice(0, state.length - 3)}`,
  };
}

/** Every request with an id. `own` is the session of the sender. */
const ROUTES: Readonly<Record<string, (client: TokenClient, ids: Ids, own: Ids) => Promise<Ended>>> = {
  'POST in a session': (client, { session }) => client.inSession(session, WHOAMI),
  'GET of a session': (client, { session }) => client.listen(session, undefined, FIRST),
  'Last-Event-ID in a session': (client, { session, event }) => client.listen(session, event, FIRST),
  'Last-Event-ID in an own session': (client, { event }, own) => client.listen(own.session, event, FIRST),
  'DELETE of a session': (client, { session }) => client.leave(session),
  'POST to a stream of 2024-11-05': (client, { sse }) => client.tell(sse, 'ping'),
  'tasks/get': (client, { task }) => askTask(client, 'tasks/get', { taskId: task }),
  'tasks/update': (client, { task }) =>
    askTask(client, 'tasks/update', { taskId: task, inputResponses: { name: accept({ name: 'evil' }) } }),
  'tasks/cancel': (client, { task }) => askTask(client, 'tasks/cancel', { taskId: task }),
  requestState: (client, { state }) => goOn(client, state),
};

function askTask(client: TokenClient, method: string, params: object): Promise<Ended> {
  return client.modern(method, params, { id: 1, capabilities: CAPABILITIES });
}

function goOn(client: TokenClient, requestState: string): Promise<Ended> {
  const inputResponses = { name: accept({ name: 'evil' }) };
  const params = { name: 'ask', arguments: {}, requestState, inputResponses };
  return client.modern('tools/call', params, { id: 1, capabilities: CAPABILITIES });
}

async function begin(http: HttpCaller, name: string): Promise<User> {
  const client = new TokenClient(http, name, { path: '/one' });
  const session = await client.openSession();
  const params = { name: 'talk', arguments: {}, _meta: { progressToken: 1 } };
  const talk = await client.inSession(session, { method: 'tools/call', params, id: 'talk' }, FIRST);
  const asked = await client.call('ask', {}, { capabilities: CAPABILITIES });
  const job = await client.call('job', {}, { capabilities: CAPABILITIES });
  const stream = await client.connect();
  const ids = {
    session,
    event: /^id: (\S+)$/m.exec(talk.text)?.[1] ?? '',
    sse: /sessionId=(\w+)/.exec(stream.text)?.[1] ?? '',
    task: answerIn(job)?.result?.taskId ?? '',
    state: answerIn(asked)?.result?.requestState ?? '',
  };
  return { name, client, elsewhere: new TokenClient(http, name, { path: '/two' }), ids };
}

async function start(
  without: readonly Weakness[],
  count: number,
): Promise<{ http: HttpCaller; users: User[] }> {
  // A silent stream, as it may occur with a defence turned off, ends soon.
  const env = without.length > 0 ? { HTTP_OPTIONS: '{"keepAliveMs":300}' } : {};
  const server = await ChildServer.listen('owned-http.mjs', { without, env });
  const http = new HttpCaller(server.port);
  const users = await Promise.all(
    Array.from({ length: count }, (_, index) => begin(http, `user-${String(index).padStart(2, '0')}`)),
  );
  return { http, users };
}

/** A response without the requested id. */
function withoutIds(ended: Ended, ids: Ids): string {
  if (ended.loss !== undefined) throw new Error(`no answer: ${ended.loss}`);
  return Object.values(ids).reduce<string>(
    (text, id: string) => text.replaceAll(id, '(id)'),
    JSON.stringify(comparable(ended)),
  );
}

/** Routes whose response for these ids differs from that for unknown ids. */
async function findTold(client: TokenClient, ids: Ids, own: Ids): Promise<string[]> {
  const told: string[] = [];
  for (const [route, use] of Object.entries(ROUTES)) {
    const nobodys = unknownIds(ids);
    const found = withoutIds(await use(client, ids, own), ids);
    const expected = withoutIds(await use(client, nobodys, own), nobodys);
    if (found !== expected) told.push(`${route}: ${found} instead of ${expected}`);
  }
  return told;
}

/** Ids that their owner cannot use any more. */
async function findLost({ name, client, ids }: User): Promise<string[]> {
  const lost: string[] = [];
  const look = (what: string, isThere: boolean, found: unknown): void => {
    if (!isThere) lost.push(`${name}, ${what}: ${JSON.stringify(found)}`);
  };
  const call = await client.inSession(ids.session, WHOAMI);
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
  const state = await goOn(client, ids.state);
  look('requestState', textOf(answerIn(state) ?? {}).startsWith('Hello evil in step '), state);
  return lost;
}

async function expectOwners(without: readonly Weakness[]): Promise<void> {
  const isWeak = without.length > 0;
  const { http, users } = await start(without, isWeak ? 3 : USERS);
  const tried = isWeak ? 2 : FOREIGN;
  const told = await Promise.all(
    users.map(async ({ name, client, ids: own }, index) => {
      const found: string[] = [];
      for (let step = 1; step <= tried; step += 1) {
        const victim = users[(index + step) % users.length] as User;
        const routes = await findTold(client, victim.ids, own);
        found.push(...routes.map((route) => `${name} as ${victim.name}: ${route}`));
      }
      return found;
    }),
  );
  expect(told.flat(), 'ids of others that are not like ids of nobody').toEqual([]);
  // And its own ids at another server.
  const atTwo = await Promise.all(
    users.map(async ({ elsewhere, ids }) => {
      const session = await elsewhere.openSession();
      return findTold(elsewhere, ids, { ...ids, session });
    }),
  );
  expect(atTwo.flat(), 'ids of one server that are not like ids of nobody at another').toEqual([]);
  const lost = await Promise.all(users.map((user) => findLost(user)));
  expect(lost.flat(), 'what owners do not find as they left it').toEqual([]);
  http.close();
}

async function expectRandomIds(without: readonly Weakness[]): Promise<void> {
  const { http, users } = await start(without, USERS);
  for (const kind of ['session', 'event', 'sse', 'task'] as const) {
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

const RANDOM = 'ids are 128 random bits';
const OTHERS = /ids of others that are not like ids of nobody/;

promise('what is begun belongs to who began it', {
  timeoutMs: isLong ? 300_000 : 60_000,
  checks: {
    'the ids of others, and those of another server, respond like unknown ids': expectOwners,
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
      off: [{ module: 'wire/methods/rounds.js', defence: 'caller-of-a-state' }],
      red: OTHERS,
    },
    {
      defence: 'the name of the server in states',
      off: [{ module: 'wire/methods/rounds.js', defence: 'server-of-a-state' }],
      red: /ids of one server that are not like ids of nobody at another/,
    },
    {
      defence: 'enough random bits',
      off: [{ module: 'base/random-id.js', defence: 'random-bits', by: '8' }],
      check: RANDOM,
      red: /an id of 128 bits/,
    },
  ],
});
