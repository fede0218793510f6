import { describe, expect } from 'vitest';
import { MemoryTaskStore } from '../../src/stores.ts';
import type { TaskRecord } from '../../src/stores.ts';
import { requirement } from './requirement.ts';
import { openSession } from './support/legacy-http.ts';
import { messagesOf, modernRequest } from './support/raw-http.ts';
import type { RawResponse } from './support/raw-http.ts';
import { accept, legacyMessage, modernMessage, TASKS, textOf } from './support/rpc.ts';
import type { RpcMessage, RpcResult } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';
import type { HttpSample } from './support/sample.ts';

const SERVER_INFO = { 'io.modelcontextprotocol/serverInfo': { name: 'sample', version: '1.2.3' } };
const BOTH = { ...TASKS, elicitation: {} };
const NEEDED = { requiredCapabilities: TASKS };

async function ask(
  { http }: HttpSample,
  [method, params]: [string, object],
  capabilities: object = BOTH,
): Promise<RpcMessage> {
  return (await http.modern(method, params, { capabilities })).json;
}

/** Starts a task and returns its id. */
async function begin(sample: HttpSample, params: object): Promise<string> {
  const { result } = await ask(sample, ['tools/call', params]);
  expect(result?.resultType).toBe('task');
  return String(result?.taskId);
}

async function get(sample: HttpSample, taskId: string): Promise<RpcResult> {
  return (await ask(sample, ['tasks/get', { taskId }])).result ?? {};
}

/** Polls until a task has this status; each poll is a request, so that the work continues in between. */
async function until(sample: HttpSample, taskId: string, status: string): Promise<RpcResult> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const task = await get(sample, taskId);
    if (task.status === status) return task;
  }
  throw new Error(`the task never was ${status}`);
}

describe('a task', () => {
  requirement('tasks:declared', 'the extension is declared as one', async () => {
    await using sample = await startHttp();
    const { result } = await ask(sample, ['server/discover', {}]);
    expect(result?.capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    expect(result?.capabilities).not.toHaveProperty('tasks');
  });

  requirement(
    ['tasks:create', 'tasks:get'],
    'a task is announced flat, and tells its result when it is completed',
    async () => {
      await using sample = await startHttp();
      const { status, json } = await sample.http.modern(
        'tools/call',
        { name: 'slow' },
        { id: 1, capabilities: TASKS },
      );
      const taskId = String(json.result?.taskId);
      expect(taskId).toMatch(/^[\w-]{16,}$/);
      const times = { createdAt: '1970-01-01T00:16:40.000Z', lastUpdatedAt: '1970-01-01T00:16:40.000Z' };
      const seed = { taskId, status: 'working', ...times, ttlMs: null, pollIntervalMs: 250 };
      expect(status).toBe(200);
      expect(json).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: { resultType: 'task', ...seed, _meta: SERVER_INFO },
      });
      await sample.gate.started.next();
      sample.clock.advance(2000);
      const working = await get(sample, taskId);
      expect(working).toEqual({
        resultType: 'complete',
        ...seed,
        statusMessage: 'half way',
        _meta: SERVER_INFO,
      });
      sample.gate.open();
      const done = await until(sample, taskId, 'completed');
      expect(done).toEqual({
        resultType: 'complete',
        ...seed,
        status: 'completed',
        lastUpdatedAt: '1970-01-01T00:16:42.000Z',
        ttlMs: 3_602_000,
        result: { resultType: 'complete', content: [{ type: 'text', text: 'slowly done' }] },
        _meta: SERVER_INFO,
      });
    },
  );

  requirement(
    'tasks:only-if-declared',
    'who does not declare the extension waits for the answer',
    async () => {
      await using sample = await startHttp();
      const waiting = ask(sample, ['tools/call', { name: 'slow' }], { elicitation: {} });
      await sample.gate.started.next();
      sample.gate.open();
      const answer = await waiting;
      expect([answer.result?.resultType, textOf(answer)]).toEqual(['complete', 'slowly done']);
      expect(answer.result).not.toHaveProperty('taskId');
      // Nor does a call become a task that requests it as in 2025-11-25.
      const hinted = ask(sample, ['tools/call', { name: 'primes', task: { ttl: 60_000 } }]);
      expect((await hinted).result?.resultType).toBe('complete');
      const session = await openSession(sample.http, { capabilities: TASKS });
      const legacy = session.post(legacyMessage('tools/call', { name: 'slow' }));
      await sample.gate.started.next();
      sample.gate.open();
      expect(messagesOf(await legacy).at(-1)?.result?.content).toEqual([
        { type: 'text', text: 'slowly done' },
      ]);
    },
  );

  requirement('tasks:required', 'a tool that runs as a task only is refused to others', async () => {
    await using sample = await startHttp();
    for (const name of ['job', 'later']) {
      const { status, json } = await sample.http.modern(
        'tools/call',
        { name },
        { capabilities: { elicitation: {} } },
      );
      expect([name, status, json.error?.code, json.error?.data]).toEqual([name, 400, -32021, NEEDED]);
    }
    const session = await openSession(sample.http, { capabilities: BOTH });
    const legacy = await session.request('tools/call', { name: 'job' });
    expect(legacy.result?.isError).toBe(true);
  });

  requirement('tasks:durable', 'a task is in the store before it is announced', async () => {
    const stored: TaskRecord[] = [];
    const store = new MemoryTaskStore();
    let release: () => void = () => {};
    let noteWrite: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const writing = new Promise<void>((resolve) => {
      noteWrite = resolve;
    });
    const taskStore = {
      put: async (record: TaskRecord) => {
        noteWrite();
        await released;
        stored.push(record);
        store.put(record);
      },
      get: (taskId: string) => store.get(taskId),
      delete: (taskId: string) => store.delete(taskId),
    };
    await using sample = await startHttp({ taskStore });
    let isAnswered = false;
    const answer = ask(sample, ['tools/call', { name: 'slow' }]).then((settled) => {
      isAnswered = true;
      return settled;
    });
    await writing;
    await ask(sample, ['server/discover', {}]);
    expect([isAnswered, stored.length]).toEqual([false, 0]);
    release();
    const taskId = String((await answer).result?.taskId);
    expect(stored[0]).toMatchObject({ taskId, status: 'working' });
    expect((await get(sample, taskId)).status).toBe('working');
  });

  requirement('tasks:tool-error', 'a tool that fails completes its task with isError', async () => {
    await using sample = await startHttp();
    const taskId = await begin(sample, { name: 'slow', arguments: { isError: true } });
    await sample.gate.started.next();
    sample.gate.open();
    const { result } = await until(sample, taskId, 'completed');
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'It did not work out.' }],
    });
  });

  requirement('tasks:failed', 'an error of the protocol fails the task', async () => {
    await using sample = await startHttp();
    const { result } = await ask(sample, ['tools/call', { name: 'job' }], TASKS);
    const task = await until(sample, String(result?.taskId), 'failed');
    expect(task['error']).toEqual({
      code: -32021,
      message: 'Missing client capability: elicitation.',
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    expect(task['statusMessage']).toBe('Missing client capability: elicitation.');
    expect(task).not.toHaveProperty('result');
  });

  requirement(
    ['tasks:input', 'tasks:update:unknown-keys'],
    'a task shows its questions and takes answers one by one, ignoring others',
    async () => {
      await using sample = await startHttp();
      const taskId = await begin(sample, { name: 'job' });
      const asking = await until(sample, taskId, 'input_required');
      expect(Object.keys(asking.inputRequests ?? {})).toEqual(['first', 'second']);
      expect(asking.inputRequests?.['first']).toMatchObject({
        method: 'elicitation/create',
        params: { message: 'First?' },
      });
      expect(asking).not.toHaveProperty('requestState');
      const update = async (inputResponses: object): Promise<RpcMessage> =>
        ask(sample, ['tasks/update', { taskId, inputResponses }]);
      const ack = { resultType: 'complete', _meta: SERVER_INFO };
      for (const useless of [{}, { unknown: accept({}) }, { first: 7 }, { first: accept({ name: 7 }) }]) {
        expect((await update(useless)).result).toEqual(ack);
        expect((await get(sample, taskId)).status).toBe('input_required');
      }
      expect((await update({ first: accept({ name: 'A' }) })).result).toEqual(ack);
      const half = await get(sample, taskId);
      expect([half.status, Object.keys(half.inputRequests ?? {})]).toEqual(['input_required', ['second']]);
      // A response cannot be replaced.
      await update({ first: accept({ name: 'Z' }), second: accept({ name: 'B' }) });
      const done = await until(sample, taskId, 'completed');
      const { content } = done['result'] as { content: { text: string }[] };
      expect(JSON.parse(content[0]?.text ?? '')).toEqual([
        { action: 'accept', content: { name: 'A' } },
        { action: 'accept', content: { name: 'B' } },
      ]);
      expect((await update({ first: accept({ name: 'Late' }) })).result).toEqual(ack);
    },
  );

  requirement('tasks:cancel', 'a task can be cancelled, once or twice', async () => {
    await using sample = await startHttp();
    const taskId = await begin(sample, { name: 'slow' });
    await sample.gate.started.next();
    const cancel = async (): Promise<RpcMessage> => ask(sample, ['tasks/cancel', { taskId }]);
    expect((await cancel()).result).toEqual({ resultType: 'complete', _meta: SERVER_INFO });
    expect(await sample.gate.stopped.next()).toBe('slow');
    const cancelled = await until(sample, taskId, 'cancelled');
    for (const member of ['result', 'error', 'inputRequests']) expect(cancelled).not.toHaveProperty(member);
    expect((await cancel()).result).toEqual({ resultType: 'complete', _meta: SERVER_INFO });
    expect((await get(sample, taskId)).status).toBe('cancelled');
  });

  requirement('tasks:after-rounds', 'a tool may ask first and then go on as a task', async () => {
    await using sample = await startHttp();
    const first = (await ask(sample, ['tools/call', { name: 'later' }])).result;
    expect(first?.resultType).toBe('input_required');
    expect(first).not.toHaveProperty('taskId');
    const retry = {
      name: 'later',
      inputResponses: { user_name: accept({ name: 'Ann' }) },
      requestState: first?.requestState,
    };
    const second = (await ask(sample, ['tools/call', retry])).result;
    expect(second?.resultType).toBe('task');
    for (const member of ['requestState', 'inputRequests']) expect(second).not.toHaveProperty(member);
    const done = await until(sample, String(second?.taskId), 'completed');
    expect(done['result']).toMatchObject({ content: [{ type: 'text', text: 'Done for Ann' }] });
  });
});

describe('the methods of tasks', () => {
  const METHODS: [string, object][] = [
    ['tasks/get', {}],
    ['tasks/update', { inputResponses: {} }],
    ['tasks/cancel', {}],
  ];

  requirement('tasks:unknown', 'a task that is unknown, or of somebody else, is -32602', async () => {
    await using sample = await startHttp(
      {},
      { authenticate: ({ headers }) => ({ id: headers.get('x-user') ?? 'nobody' }) },
    );
    const askAs = async (user: string, method: string, params: object): Promise<RawResponse> => {
      const message = modernMessage(method, params, { capabilities: TASKS });
      return sample.http.send(modernRequest(message, { 'X-User': user }));
    };
    const created = await askAs('alice', 'tools/call', { name: 'slow' });
    const taskId = created.json.result?.taskId;
    for (const [method, params] of METHODS) {
      const unknown = await askAs('alice', method, { taskId: 'no-such-task', ...params });
      expect([method, unknown.status, unknown.json.error]).toEqual([
        method,
        200,
        { code: -32602, message: 'Unknown task: no-such-task' },
      ]);
      const strange = await askAs('mallory', method, { taskId, ...params });
      expect([method, strange.json.error?.code]).toEqual([method, -32602]);
      const missing = await askAs('alice', method, params);
      expect([method, missing.json.error?.code]).toEqual([method, -32602]);
    }
    const { json } = await askAs('alice', 'tasks/get', { taskId });
    expect(json.result?.status).toBe('working');
  });

  requirement('tasks:undeclared', 'without the extension they are -32021, whatever the task', async () => {
    await using sample = await startHttp();
    for (const [method, params] of METHODS) {
      const { status, json } = await sample.http.modern(method, { taskId: 'any', ...params });
      expect([method, status, json.error?.code, json.error?.data]).toEqual([method, 400, -32021, NEEDED]);
    }
  });

  requirement('tasks:no-list', 'tasks/list and tasks/result are unknown', async () => {
    await using sample = await startHttp();
    for (const method of ['tasks/list', 'tasks/result']) {
      const { status, json } = await sample.http.modern(method, { taskId: 'x' }, { capabilities: TASKS });
      expect([method, status, json.error?.code]).toEqual([method, 404, -32601]);
    }
  });

  requirement('tasks:headers', 'they need Mcp-Name with the id of the task', async () => {
    await using sample = await startHttp();
    const taskId = await begin(sample, { name: 'slow' });
    for (const [method, params] of METHODS) {
      const message = modernMessage(method, { taskId, ...params }, { capabilities: TASKS });
      for (const name of [undefined, 'other']) {
        const { status, json } = await sample.http.send(modernRequest(message, { 'Mcp-Name': name }));
        expect([method, status, json.error?.code]).toEqual([method, 400, -32020]);
      }
      expect((await sample.http.send(modernRequest(message))).status).toBe(200);
    }
  });

  requirement(
    'tasks:ttl',
    'a task that has ended is kept for its time, and one that runs for ever',
    async () => {
      await using sample = await startHttp({ taskTtlMs: 60_000 });
      const taskId = await begin(sample, { name: 'slow' });
      await sample.gate.started.next();
      sample.clock.advance(120_000);
      expect(await get(sample, taskId)).toMatchObject({ status: 'working', ttlMs: null });
      sample.gate.open();
      const { ttlMs } = await until(sample, taskId, 'completed');
      expect(ttlMs).toBe(180_000);
      sample.clock.advance(59_999);
      expect((await get(sample, taskId)).status).toBe('completed');
      sample.clock.advance(1);
      expect((await ask(sample, ['tasks/get', { taskId }])).error?.code).toBe(-32602);
    },
  );
});

describe('news of tasks', () => {
  requirement('tasks:notifications', 'a subscription tells the whole task, to its owner', async () => {
    await using sample = await startHttp(
      {},
      { authenticate: ({ headers }) => ({ id: headers.get('x-user') ?? 'nobody' }) },
    );
    const taskId = await begin(sample, { name: 'job' });
    await until(sample, taskId, 'input_required');
    const notifications = { taskIds: [taskId, 'no-such-task'] };
    const message = modernMessage(
      'subscriptions/listen',
      { notifications },
      { id: 's', capabilities: TASKS },
    );
    const stranger = await sample.http.open(modernRequest(message, { 'X-User': 'mallory' }));
    expect((await stranger.nextMessage()).params?.['notifications']).toEqual({});
    const stream = await sample.http.open(modernRequest(message));
    expect((await stream.nextMessage()).params?.['notifications']).toEqual({ taskIds: [taskId] });
    const inputResponses = { first: accept({ name: 'A' }), second: accept({ name: 'B' }) };
    await ask(sample, ['tasks/update', { taskId, inputResponses }]);
    let told = await stream.nextMessage();
    expect([told.method, told.params?.['status']]).toEqual(['notifications/tasks', 'working']);
    told = await stream.nextMessage();
    const { resultType, _meta, ...task } = await get(sample, taskId);
    expect([resultType, _meta]).toEqual(['complete', SERVER_INFO]);
    expect(told).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tasks',
      params: { ...task, _meta: { 'io.modelcontextprotocol/subscriptionId': 's' } },
    });
    expect(task.status).toBe('completed');
  });

  requirement('tasks:notifications:undeclared', 'a subscription to tasks needs the extension', async () => {
    await using sample = await startHttp();
    const notifications = { taskIds: ['any'], toolsListChanged: true };
    const { status, json } = await sample.http.modern('subscriptions/listen', { notifications });
    expect([status, json.error?.code, json.error?.data]).toEqual([400, -32021, NEEDED]);
  });

  requirement('tasks:quiet', 'a task sends neither progress nor log messages', async () => {
    await using sample = await startHttp();
    const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' };
    const { headers, json } = await sample.http.modern(
      'tools/call',
      { name: 'slow' },
      { meta, capabilities: TASKS },
    );
    expect([headers['content-type'], json.result?.resultType]).toEqual(['application/json', 'task']);
    await sample.gate.started.next();
    const task = await get(sample, String(json.result?.taskId));
    expect(task['statusMessage']).toBe('half way');
  });
});
