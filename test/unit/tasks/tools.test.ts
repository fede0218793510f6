import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry } from '../../../src/index.ts';
import type { NewTask } from '../../../src/tasks/task-runner.ts';
import { createBench, taskOf, turn } from './bench.ts';
import { unknownTool } from '../../support/refused.ts';

const registry = new ToolRegistry()
  .register({
    name: 'remove',
    description: 'Removes a file once somebody has agreed.',
    inputSchema: z.object({ file: z.string() }),
    handler: async ({ input, context }) => {
      await context.progress(0, 2, 'asking');
      const answer = await context.ask('confirm', {
        message: `Remove ${input.file}?`,
        schema: z.object({ sure: z.boolean() }),
      });
      if (answer.action !== 'accept' || !answer.content.sure) return 'Kept.';
      return await context.step('remove', () => `Removed ${input.file}.`);
    },
  })
  .register({
    name: 'wait',
    description: 'Waits until it is told to stop.',
    inputSchema: z.object({}),
    handler: ({ context }) =>
      new Promise((_resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
      }),
  });

function callOf(name: string, args: object = {}): NewTask {
  return taskOf(async (around) => {
    const reply = await registry.handleCall({ name, arguments: args, ...around });
    if (reply.kind === 'result') return reply;
    if (reply.kind === 'input-required') throw new Error('a task never runs twice');
    const { code, message, data } = reply;
    return { kind: 'error', error: { code, message, data } };
  });
}

describe('a tool that runs as a task', () => {
  test('asks its client and continues with the response', async () => {
    const { runner } = createBench();
    await runner.start(callOf('remove', { file: 'a.txt' }));
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({
      status: 'input_required',
      statusMessage: 'asking',
      inputRequests: {
        confirm: {
          method: 'elicitation/create',
          params: { mode: 'form', message: 'Remove a.txt?' },
        },
      },
    });
    await runner.update('t1', 'ada', { confirm: { action: 'accept', content: { sure: 'perhaps' } } });
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'input_required' });
    await runner.update('t1', 'ada', { confirm: { action: 'accept', content: { sure: true } } });
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({
      status: 'completed',
      result: { content: [{ type: 'text', text: 'Removed a.txt.' }] },
    });
  });

  test('is stopped by cancelling the task, and makes room for another', async () => {
    const { runner } = createBench({ maxRunning: 1 });
    await runner.start(callOf('wait'));
    await runner.cancel('t1', 'ada');
    await turn();
    await runner.start(callOf('wait'));
    expect(await runner.get('t1', 'ada')).toMatchObject({ status: 'cancelled' });
    expect(await runner.get('t2', 'ada')).toMatchObject({ status: 'working' });
    await runner.close();
  });

  test('that does not exist fails the task', async () => {
    const { runner } = createBench();
    await runner.start(callOf('nothing'));
    await turn();
    expect(await runner.get('t1', 'ada')).toMatchObject({
      status: 'failed',
      error: unknownTool('nothing'),
    });
  });
});
