import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { serveHttp } from '../../src/http.ts';
import { CallRefusedError, createServer, silentLogger } from '../../src/index.ts';
import type { ServerOptions } from '../../src/index.ts';
import { MemoryStateStore } from '../../src/stores.ts';
import type { StateStore } from '../../src/stores.ts';
import { postModern } from '../support/raw-http.ts';
import { describeSharedState } from './support/shared-state.ts';

const FORM = { elicitation: {} };
const USED = {
  status: 200,
  error: {
    code: -32602,
    message: 'Invalid params: requestState was used before, and each is valid once. Start again without it.',
  },
};
const NAME = z.object({ name: z.string() });

interface Booking {
  /** Calls of a node: the first round without a state, later rounds with one. */
  readonly call: (node: number, requestState?: unknown) => ReturnType<typeof postModern>;
  /** Begins a call and returns its state. */
  readonly begin: (node: number) => Promise<unknown>;
  readonly booked: string[];
}

/** Nodes of a server with a tool that asks and then writes. */
async function startNodes(
  states: readonly StateStore[],
  options: Partial<ServerOptions> = { requestStateSingleUse: true },
): Promise<Booking> {
  const booked: string[] = [];
  const urls: string[] = [];
  for (const stateStore of states) {
    const server = createServer({
      name: 'inn',
      version: '1.0.0',
      logger: silentLogger,
      requestStateKeys: ['the secret of all nodes, of 32 characters'],
      stateStore,
      ...options,
      tools: [
        {
          name: 'book',
          description: 'Books a table',
          inputSchema: z.object({}),
          handler: async ({ context }) => {
            const answer = await context.ask('name', { message: 'Who?', schema: NAME });
            if (answer.action !== 'accept') return 'nothing';
            booked.push(answer.content.name);
            return `booked for ${answer.content.name}`;
          },
        },
      ],
    });
    const running = await serveHttp(server, {
      port: 0,
      authenticate: ({ headers }) => ({ id: headers.get('authorization')?.slice(7) ?? 'ada' }),
    });
    onTestFinished(async () => {
      await running.close();
      await server.close();
    });
    urls.push(running.url);
  }
  const call: Booking['call'] = (node, requestState) => {
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    const params = requestState === undefined ? {} : { requestState, inputResponses };
    return postModern(urls[node] ?? '', {
      method: 'tools/call',
      params: { name: 'book', arguments: {}, ...params },
      capabilities: FORM,
    });
  };
  const begin = async (node: number): Promise<unknown> => {
    const { result } = await call(node);
    expect(result).toMatchObject({ resultType: 'input_required' });
    return result?.['requestState'];
  };
  return { call, begin, booked };
}

describeSharedState((open) => {
  test('a request state is used once on all nodes', async () => {
    const { call, begin, booked } = await startNodes(open().map(({ state }) => state));
    const states = [await begin(0), await begin(1)];
    for (const state of states) {
      const uses = await Promise.all(Array.from({ length: 10 }, async (_, index) => call(index % 2, state)));
      const accepted = uses.filter(({ result }) => result !== undefined);
      expect(accepted.map(({ result }) => result)).toMatchObject([{ content: [{ text: 'booked for Ada' }] }]);
      for (const refused of uses.filter((use) => use !== accepted[0])) expect(refused).toMatchObject(USED);
    }
    expect(booked).toEqual(['Ada', 'Ada']);
    for (const node of [0, 1]) expect(await call(node, states[0])).toMatchObject(USED);
  });
});

test('without the option, a request state is valid until it expires', async () => {
  const { call, begin, booked } = await startNodes([new MemoryStateStore()], {});
  const state = await begin(0);
  for (let use = 0; use < 2; use += 1)
    expect(await call(0, state)).toMatchObject({ result: { content: [{ text: 'booked for Ada' }] } });
  expect(booked).toEqual(['Ada', 'Ada']);
});

test('a request that is rejected for another reason uses no state', async () => {
  const { call, begin } = await startNodes([new MemoryStateStore()]);
  const state = String(await begin(0));
  expect(await call(0, `${state}x`)).toMatchObject({ error: { code: -32602 } });
  expect(await call(0, state)).toMatchObject({ result: { content: [{ text: 'booked for Ada' }] } });
});

test.each([
  [
    'is not available',
    new CallRefusedError('BUSY', 'The store of state is not available. Try again later.'),
    'The store of state is not available. Try again later.',
  ],
  ['throws anything', new Error('connection reset'), 'Internal error'],
])(
  'while the store %s, the state is refused and the handler does not run',
  async (_how, failure, message) => {
    const store = new MemoryStateStore();
    let isDown = false;
    const state: StateStore = {
      get: (owner, key) => store.get(owner, key),
      take: (owner, key) => store.take(owner, key),
      delete: (owner, key) => store.delete(owner, key),
      set: (...args) => (isDown ? Promise.reject(failure) : store.set(...args)),
    };
    const { call, begin, booked } = await startNodes([state]);
    const requestState = await begin(0);
    isDown = true;
    expect(await call(0, requestState)).toMatchObject({ error: { code: -32603, message } });
    expect(booked).toEqual([]);
    isDown = false;
    expect(await call(0, requestState)).toMatchObject({ result: { content: [{ text: 'booked for Ada' }] } });
  },
);

test('a caller without room for another use is refused', async () => {
  const store = new MemoryStateStore({ maxEntriesPerOwner: 2 });
  const { call, begin } = await startNodes([store]);
  for (let round = 0; round < 2; round += 1)
    expect(await call(0, await begin(0))).toMatchObject({ result: { resultType: 'complete' } });
  expect(await call(0, await begin(0))).toMatchObject({
    status: 503,
    error: {
      code: -32603,
      data: { code: 'BUSY' },
      message: 'Too many rounds of calls of this caller were accepted recently. Try again later.',
    },
  });
});
