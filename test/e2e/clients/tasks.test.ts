import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveHttp } from '../../../src/http.ts';
import type { RunningHttp } from '../../../src/http.ts';
import { connectInMemory } from '../../../src/index.ts';
import { createScenarioServer } from '../../fixtures/scenario-server.ts';
import { BalancedNodes } from '../../support/balanced-nodes.ts';
import { RawPeer } from '../../support/raw-peer.ts';
import type { Json, RawTransport } from '../../support/raw-peer.ts';
import { bundleScenarioServer } from '../../support/scenario-process.ts';
import { useScenario } from '../../support/served-clients.ts';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const CAPABLE = { elicitation: {}, extensions: { [EXTENSION]: {} } };

const server = createScenarioServer();
let running: RunningHttp;
let balanced: BalancedNodes;
beforeAll(async () => {
  running = await serveHttp(server, { port: 0 });
  balanced = await BalancedNodes.start({ hasQueue: true });
});
afterAll(async () => {
  await balanced[Symbol.asyncDispose]();
  const { hops } = balanced;
  expect(hops.length).toBeGreaterThan(10);
  expect(hops.filter((node, at) => node === hops[at - 1])).toEqual([]);
  await running.close();
  await server.close();
});

/** The official transports. The official client (2.4.0) sends no tasks/get and accepts no result of the type "task"; see the last test. */
const TRANSPORTS: Readonly<Record<string, () => Promise<RawTransport>>> = {
  stdio: async () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [(await bundleScenarioServer()).scenario],
    }),
  HTTP: async () => new StreamableHTTPClientTransport(new URL(running.url)),
  // Three nodes: every request goes to another one, and a worker of any of them runs the task.
  HAProxy: async () => new StreamableHTTPClientTransport(new URL(balanced.url)),
  memory: async () => connectInMemory(server),
};

const TASK = {
  _meta: { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'scenarios' }) as object },
  taskId: expect.stringMatching(/^[\da-f]{32}$/) as string,
  createdAt: expect.any(String) as string,
  lastUpdatedAt: expect.any(String) as string,
  ttlMs: null,
  pollIntervalMs: 5,
};

describe.each(Object.entries(TRANSPORTS))('a client with tasks over %s', (_name, transport) => {
  let peer: RawPeer;
  beforeAll(async () => {
    peer = await new RawPeer(await transport(), CAPABLE).start();
  });
  afterAll(() => peer.close());

  /** Polls until the task is in this state. */
  function until(taskId: unknown, status: string, statusMessage?: string): Promise<Json> {
    return untilOneOf(taskId, [status], statusMessage);
  }

  async function untilOneOf(
    taskId: unknown,
    statuses: readonly unknown[],
    statusMessage?: string,
  ): Promise<Json> {
    const end = performance.now() + 25_000;
    while (performance.now() < end) {
      const { result } = await peer.request('tasks/get', { taskId });
      const isMeant = statusMessage === undefined || result?.['statusMessage'] === statusMessage;
      if (result !== undefined && statuses.includes(result['status']) && isMeant) return result;
    }
    throw new Error(`the task never was ${statuses.join(' or ')}`);
  }

  test('gets a task instead of an answer, and the answer from the task', async () => {
    const created = await peer.request('tools/call', { name: 'compute', arguments: { label: 'pi' } });
    expect(created.result).toEqual({ resultType: 'task', status: 'working', ...TASK });
    const task = await until(created.result?.['taskId'], 'completed');
    expect(task).toMatchObject({
      resultType: 'complete',
      result: { resultType: 'complete', content: [{ type: 'text', text: 'computed pi' }] },
    });
    // Counted from its creation: an hour, plus its duration.
    expect(task['ttlMs']).toBeGreaterThanOrEqual(3_600_000);
  });

  test('answers a task while it runs', async () => {
    const { result } = await peer.request('tools/call', { name: 'compute_long' });
    const taskId = result?.['taskId'];
    expect(await until(taskId, 'input_required')).toMatchObject({
      statusMessage: 'half way',
      inputRequests: { name: { method: 'elicitation/create', params: { message: 'Your name?' } } },
    });
    const answer = async (content: object): Promise<void> => {
      const inputResponses = { name: { action: 'accept', content }, unknown: {} };
      const updated = await peer.request('tasks/update', { taskId, inputResponses });
      expect(updated.result).toMatchObject({ resultType: 'complete' });
    };
    // An invalid response leaves the elicitation open: in a worker, as soon as it was seen.
    await answer({});
    while ((await untilOneOf(taskId, ['input_required', 'completed']))['status'] === 'input_required')
      await answer({ name: 'Ada' });
    expect(await until(taskId, 'completed')).toMatchObject({
      result: { content: [{ type: 'text', text: 'Hello, Ada' }] },
    });
  });

  test('is asked before and during a task that begins in the handler', async () => {
    const params = { name: 'compute_later', arguments: {} };
    const asked = (await peer.request('tools/call', params)).result ?? {};
    expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { before: {} } });
    const inputResponses = { before: { action: 'accept', content: { name: 'a' } } };
    const { requestState } = asked;
    const { result } = await peer.request('tools/call', { ...params, inputResponses, requestState });
    expect(result).toMatchObject({ resultType: 'task' });
    const taskId = result?.['taskId'];
    const { inputRequests } = await until(taskId, 'input_required');
    expect(Object.keys(inputRequests as object)).toEqual(['during']);
    const during = { action: 'accept', content: { name: 'b' } };
    await peer.request('tasks/update', { taskId, inputResponses: { during } });
    expect(await until(taskId, 'completed')).toMatchObject({
      result: { content: [{ type: 'text', text: 'a+b' }] },
    });
  });

  test('cancels a task, as often as it likes', async () => {
    const key = crypto.randomUUID();
    const { result } = await peer.request('tools/call', { name: 'compute_forever', arguments: { key } });
    const taskId = result?.['taskId'];
    // A task that is cancelled while it waits in a queue never begins.
    await until(taskId, 'working', 'begun');
    for (let times = 2; times > 0; times -= 1) {
      expect((await peer.request('tasks/cancel', { taskId })).result).toMatchObject({
        resultType: 'complete',
      });
      expect((await peer.request('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
    }
    const stopped = await peer.request('tools/call', { name: 'await_stop', arguments: { key } });
    expect(stopped.result).toMatchObject({ content: [{ type: 'text', text: 'AbortError' }] });
  });

  test('hears how a task goes on', async () => {
    const { result } = await peer.request('tools/call', { name: 'compute_long' });
    const taskId = result?.['taskId'];
    await until(taskId, 'input_required');
    const acknowledged = peer.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
    void peer.request('subscriptions/listen', { notifications: { taskIds: [taskId, 'unknown'] } });
    expect((await acknowledged)['params']).toMatchObject({ notifications: { taskIds: [taskId] } });
    const completed = peer.next(({ params }) => (params as Json)['status'] === 'completed');
    const inputResponses = { name: { action: 'decline' } };
    await peer.request('tasks/update', { taskId, inputResponses });
    expect(await completed).toMatchObject({ method: 'notifications/tasks', params: { taskId } });
  });

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'is told by %s of no task but its own',
    async (method) => {
      expect((await peer.request(method, { taskId: 'f00' })).error).toMatchObject({
        code: -32602,
        message: 'Unknown task: f00',
      });
    },
  );
});

describe('the v2 client that declares tasks', () => {
  const open = useScenario({ client: 'v2 pinned', transport: 'memory', era: 'modern' }, CAPABLE);

  // When this fails, the official client supports tasks: include it in the tests above.
  test('cannot take one yet', async () => {
    await expect(open().callTool('compute', { label: 'pi' })).rejects.toMatchObject({
      code: 'UNSUPPORTED_RESULT_TYPE',
    });
  });
});
