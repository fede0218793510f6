import { expect, test } from 'vitest';
import * as z from 'zod';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolRegistry } from '../../src/index.ts';
import { resultCache } from '../../src/middleware.ts';
import { RedisCacheStore } from '../../src/redis.ts';
import { describeRedis } from './support/redis-versions.ts';

describeRedis((connect) => {
  /** Two nodes with one result cache, and the runs of their handlers. */
  function openNodes(): { nodes: [ToolRegistry, ToolRegistry]; runs: string[] } {
    const runs: string[] = [];
    const prefix = `nodes:${Math.random()}`;
    const open = (): ToolRegistry =>
      new ToolRegistry({ name: 'shop', rateLimit: false })
        .use(resultCache({ store: new RedisCacheStore(connect({ prefix })) }))
        .register({
          name: 'report',
          description: 'Returns a report',
          inputSchema: z.object({}),
          annotations: { readOnlyHint: true },
          handler: async ({ context }) => {
            runs.push(String(context.principal?.id));
            await sleep(30);
            return { at: new Date(5), run: runs.length };
          },
        })
        .register({
          name: 'change',
          description: 'Changes',
          inputSchema: z.object({}),
          tags: ['tool:report'],
          handler: () => 'changed',
        });
    return { nodes: [open(), open()], runs };
  }

  test('equal calls on two nodes share one run of the handler, and each caller has its own result', async () => {
    const { nodes, runs } = openNodes();
    const results = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const principal = { id: index % 4 < 2 ? 'ada' : 'bob' };
        const result = await nodes[index % 2 === 0 ? 0 : 1].executeTool({ name: 'report', principal });
        return `${principal.id} ${JSON.stringify(result.content)}`;
      }),
    );
    expect(runs.toSorted()).toEqual(['ada', 'bob']);
    expect(new Set(results).size).toBe(2);
  });

  test('a load that exceeds maxSharedMs is not waited for, on its node or another one', async () => {
    const store = new RedisCacheStore(connect({ prefix: `slow:${Math.random()}` }));
    let runs = 0;
    let finish = (): void => {};
    const open = (): ToolRegistry =>
      new ToolRegistry({ name: 'shop', rateLimit: false })
        .use(resultCache({ store, maxSharedMs: 100 }))
        .register({
          name: 'report',
          description: 'Returns a report',
          inputSchema: z.object({}),
          annotations: { readOnlyHint: true },
          handler: async () => {
            if ((runs += 1) > 1) return 'fast';
            await new Promise<void>((resolve) => (finish = resolve));
            return 'slow';
          },
        });
    const nodes = [open(), open()];
    const read = async (node: number): Promise<string> =>
      JSON.stringify((await nodes[node]?.executeTool({ name: 'report' }))?.content);
    const slow = read(0);
    await expect.poll(() => runs).toBe(1);
    const others = await Promise.all([read(0), read(1)]);
    expect(others.map((text) => text.includes('fast'))).toEqual([true, true]);
    finish();
    expect(await slow).toContain('slow');
    expect(await read(1)).toContain('fast');
  });

  test('a change on one node invalidates the results of the other', async () => {
    const { nodes, runs } = openNodes();
    const principal = { id: 'ada' };
    for (const node of nodes) await node.executeTool({ name: 'report', principal });
    expect(runs).toHaveLength(1);
    await nodes[1].executeTool({ name: 'change', principal });
    for (const node of nodes) await node.executeTool({ name: 'report', principal });
    expect(runs).toHaveLength(2);
  });
});
