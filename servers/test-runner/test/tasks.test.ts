import { toFetchHandler } from 'toolwright/fetch';
import { expect, test } from 'vitest';
import { createFakeServer } from './support/connect.ts';
import { createResult, createTest, FakeRunner, untilCancelled } from './support/fake-runner.ts';

interface TaskState {
  readonly resultType?: string;
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly result?: { readonly structuredContent?: unknown };
}

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

/** A client with the tasks extension, which the official clients do not have. */
function createTaskClient(runner: FakeRunner) {
  const { server } = createFakeServer({ runner });
  const handle = toFetchHandler(server, {
    authenticate: ({ headers }) => ({ id: headers.get('x-user') ?? '' }),
  });
  return async (
    user: string,
    method: string,
    params: { name?: string; taskId?: string; arguments?: object },
  ) => {
    const headers = {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': params.name ?? params.taskId ?? '',
      'x-user': user,
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
    const response = await handle(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
    return (await response.json()) as { result: TaskState; error?: { code: number } };
  };
}

test('a run is a task that the client comes back for, with the run as its status and its result', async () => {
  const runner = new FakeRunner();
  const passed = createTest('test_a.py::test_a', 'passed');
  let finish = (): void => undefined;
  runner.onRun = async (_, { onEvent }) => {
    onEvent?.({ type: 'collected', total: 1 });
    await new Promise<void>((resolve) => (finish = resolve));
    onEvent?.({ type: 'test_finished', test: passed, finished: 1, total: 1 });
    return createResult([passed]);
  };
  const request = createTaskClient(runner);
  const { result: begun } = await request('ada', 'tools/call', { name: 'execute_tests', arguments: {} });
  expect([begun.resultType, begun.status]).toEqual(['task', 'working']);
  const { taskId } = begun;
  const { result: working } = await request('ada', 'tasks/get', { taskId });
  const [, runId] = /^Run ([\da-f-]{36}): 1 tests collected$/.exec(working.statusMessage ?? '') ?? [];
  expect(runId).toBeDefined();
  // The tools see the same run; others see neither the task nor the run.
  const get = { name: 'get_run', arguments: { run_id: runId } };
  expect((await request('ada', 'tools/call', get)).result).toMatchObject({
    structuredContent: { status: 'running', collected_tests: 1 },
  });
  expect((await request('bob', 'tasks/get', { taskId })).error?.code).toBe(-32_602);
  expect((await request('bob', 'tools/call', get)).result).toMatchObject({ isError: true });
  finish();
  await expect
    .poll(async () => (await request('ada', 'tasks/get', { taskId })).result)
    .toMatchObject({
      status: 'completed',
      result: { structuredContent: { run_id: runId, summary: { passed: 1 } } },
    });
});

test.each(['tasks/cancel', 'cancel_run'])('%s ends the run of a task', async (way) => {
  const runner = new FakeRunner();
  runner.onRun = untilCancelled;
  const request = createTaskClient(runner);
  const call = { name: 'execute_tests', arguments: {} };
  const { taskId } = (await request('ada', 'tools/call', call)).result;
  if (way === 'tasks/cancel') await request('ada', way, { taskId });
  else await request('ada', 'tools/call', { name: way, arguments: { run_id: 'last' } });
  await expect
    .poll(async () => (await request('ada', 'tools/call', { name: 'get_run', arguments: {} })).result)
    .toMatchObject({ structuredContent: { status: 'cancelled' } });
  const { status } = (await request('ada', 'tasks/get', { taskId })).result;
  // A task whose run was cancelled has a result: the error of the run.
  expect(status).toBe(way === 'tasks/cancel' ? 'cancelled' : 'completed');
});
