import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry } from '../../../src/index.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** A reader that never reads. */
const NEVER = new Promise<void>(() => {});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a handler that waits for a client that reads nothing', () => {
  const steps: string[] = [];
  const clock = new FakeClock();
  const registry = new ToolRegistry({ clock }).register({
    name: 'report',
    description: 'Reports',
    inputSchema: z.object({}),
    timeoutMs: 1000,
    handler: async ({ context }) => {
      steps.push('waits');
      await context.progress(1);
      steps.push('goes on');
      await context.progress(2);
      steps.push('ends');
    },
  });

  test('continues after its timeout', async () => {
    steps.length = 0;
    const result = registry.executeTool({ name: 'report', onProgress: () => NEVER });
    await turn();
    expect(steps).toEqual(['waits']);
    clock.advance(1000);
    expect((await result).isError).toBe(true);
    await turn();
    expect(steps).toEqual(['waits', 'goes on', 'ends']);
  });

  test('continues when its call is cancelled', async () => {
    steps.length = 0;
    const controller = new AbortController();
    const call = { name: 'report', onProgress: () => NEVER, signal: controller.signal };
    const result = registry.executeTool(call);
    await turn();
    controller.abort();
    await result;
    await turn();
    expect(steps).toEqual(['waits', 'goes on', 'ends']);
  });
});
