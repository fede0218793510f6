import { describe, expect, test } from 'vitest';
import type { ProgressUpdate } from '../../../src/index.ts';
import { COMBINATIONS, useScenario } from '../../support/served-clients.ts';

describe.each(COMBINATIONS)('the $client client over $transport', (combination) => {
  const { era } = combination;
  const open = useScenario(combination);

  /** Calls a tool that reports its progress and returns when the last report has arrived. */
  async function countUp(): Promise<ProgressUpdate[]> {
    const client = open();
    const key = crypto.randomUUID();
    const updates: ProgressUpdate[] = [];
    const onprogress = (update: ProgressUpdate): void => {
      updates.push(update);
      if (update.progress === 3) void client.callText('go_on', { key });
    };
    expect(await client.callText('count_up', { key }, { onprogress })).toBe('counted');
    return updates;
  }

  test('hears of progress in order, and never of steps back', async () => {
    expect(await countUp()).toEqual([
      { progress: 1, total: 3, message: 'first' },
      { progress: 2, total: 3 },
      { progress: 3, total: 3, message: 'last' },
    ]);
  });

  test('hears of progress of the call it belongs to', async () => {
    const heard = await Promise.all([countUp(), countUp(), countUp()]);
    expect(heard.map((updates) => updates.map(({ progress }) => progress))).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test('gets log messages of the level it asked for, before the answer', async () => {
    const client = open();
    const level = 'io.modelcontextprotocol/logLevel';
    const speak = async (wanted?: 'debug' | 'warning'): Promise<unknown[]> => {
      if (era === 'legacy' && wanted !== undefined) await client.official.setLoggingLevel(wanted);
      client.heard.length = 0;
      await client.callText('speak', {}, era === 'legacy' ? {} : { meta: { [level]: wanted } });
      return client.heard.map(({ method, params }) => ({ method, ...params }));
    };
    const method = 'notifications/message';
    const detail = { method, level: 'debug', data: 'a detail' };
    const step = { method, level: 'info', data: { step: 1 }, logger: 'speaker' };
    const problem = { method, level: 'error', data: ['it', 'broke'] };
    // Since 2026-07-28, a client without a log level gets no log messages; before, the server decides.
    expect(await speak()).toEqual(era === 'modern' ? [] : [step, problem]);
    expect(await speak('debug')).toEqual([detail, step, problem]);
    expect(await speak('warning')).toEqual([problem]);
  });

  test('cancelling a call aborts the signal of its handler', async () => {
    const client = open();
    const key = crypto.randomUUID();
    const controller = new AbortController();
    const call = client.callTool(
      'hang',
      { key },
      { signal: controller.signal, onprogress: () => controller.abort(new Error('enough')) },
    );
    await expect(call).rejects.toThrow('enough');
    expect(await client.callText('await_stop', { key })).toBe('AbortError');
    expect(await client.callText('echo', { text: 'still here' })).toBe('still here');
  });
});
