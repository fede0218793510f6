import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openStores, query, sqlitePath } from './support/sqlite-file.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(`support/${name}`, import.meta.url));

/** Ends with the test, however that ends. */
function withTest<TChild extends ChildProcess>(child: TChild): TChild {
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs a writer, kills it in the middle of its work after so many changes, and returns the changes that it was told are stored. */
async function killedWriter(path: string, name: string, changes: number): Promise<string[]> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = withTest(
    spawn(process.execPath, [fileOf('sqlite-writer.mjs'), path, name], { stdio: [...stdio] }),
  );
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === changes) child.kill('SIGKILL');
  }
  return lines.slice(1);
}

test(
  'nothing is lost that was confirmed when processes are killed while they write',
  { timeout: 60_000 },
  async () => {
    const path = sqlitePath();
    const confirmed: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const writers = [0, 1].map((number) =>
        killedWriter(path, `r${round}w${number}`, 60 + 37 * round + 11 * number),
      );
      confirmed.push(...(await Promise.all(writers)).flat());
    }
    expect(query(path, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const { state, tasks, confirmations } = openStores(path);
    const lost: string[] = [];
    const calls = confirmed.filter((line) => line.startsWith('call '));
    for (const line of confirmed) {
      const [kind = '', id = ''] = line.split(' ');
      const found: Record<string, () => unknown> = {
        state: async () => (await state.get(id.split('-')[0] ?? '', id)) === JSON.stringify(id),
        task: async () => (await tasks.get(id))?.result !== undefined,
        confirmation: async () => (await confirmations.take(id)) === id,
        call: () => true,
      };
      if ((await found[kind]?.()) !== true) lost.push(line);
    }
    expect(lost).toEqual([]);
    expect(confirmed.length).toBeGreaterThan(900);
    const [counted] = query(path, 'SELECT count FROM toolwright_rates') as [{ count: number }];
    // A process may be killed after it was counted and before it said so.
    expect(counted.count - calls.length).toBeGreaterThanOrEqual(0);
    expect(counted.count - calls.length).toBeLessThanOrEqual(8);
    const sizes = query(
      path,
      "SELECT entries FROM toolwright_sizes WHERE name IN ('toolwright_state', 'toolwright_tasks') ORDER BY name",
    );
    const rows = ['state', 'tasks'].flatMap((table) =>
      query(path, `SELECT count(*) AS entries FROM toolwright_${table}`),
    );
    expect(sizes).toEqual(rows);
  },
);

test(
  'processes that share a file count exactly, also if they create it at the same time',
  { timeout: 60_000 },
  async () => {
    const path = sqlitePath();
    const children = Array.from({ length: 4 }, () =>
      withTest(
        fork(fileOf('sqlite-caller.mjs'), [path, '1000'], {
          execArgv: [],
          stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        }),
      ),
    );
    await Promise.all(children.map((child) => once(child, 'message')));
    const counts = children.map(async (child) => {
      const told = once(child, 'message');
      child.send('start');
      const [allowed] = (await told) as [number];
      return allowed;
    });
    const allowed = await Promise.all(counts);
    expect(allowed.reduce((sum, each) => sum + each, 0)).toBe(1000);
    expect(query(path, 'SELECT key, count FROM toolwright_rates')).toEqual([{ key: 'shared', count: 1000 }]);
  },
);
