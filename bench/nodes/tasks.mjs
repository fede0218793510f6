import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { createClient } from 'redis';
import { addressOf, silentLogger } from '../library.mjs';
import { toMarkdown } from '../report.mjs';
import { median } from '../statistics.mjs';

const { MemoryTaskStore } = await import(addressOf('stores.ts'));
const { redisStores } = await import(addressOf('redis.ts'));
const { sqliteStores } = await import(addressOf('sqlite.ts'));
const MANY = 2_000_000;
const BYTES = 10_000_000_000;
const IN_FLIGHT = 50;

/** The cost of one more task, which is stored twice (when it starts and when it has ended) and read once, with more and more tasks in the store. */
export async function measureTasks({ isQuick }) {
  const sizes = isQuick ? [0, 1000, 5000] : [0, 10_000, 100_000, 1_000_000];
  const rows = [];
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'));
  for (const [name, create] of Object.entries(STORES)) {
    console.error(`tasks: ${name}`);
    const { store, bytes, close, fill, round: ownRound } = await create(folder);
    let stored = 0;
    const cells = [];
    const empty = await bytes();
    for (const size of sizes) {
      if (size > stored) await (fill ?? addTasks)(store, stored, size - stored);
      stored = size;
      const rounds = [];
      for (let round = 0; round < 5; round += 1) {
        const count = isQuick ? 200 : (ownRound ?? 2000);
        rounds.push(await addTasks(store, stored, count));
        stored += count;
      }
      cells.push(median(rounds).toFixed(1));
    }
    rows.push([name, ...cells, (((await bytes()) - empty) / stored).toFixed(0)]);
    await close();
  }
  rmSync(folder, { recursive: true, force: true });
  return toMarkdown(
    ['store', ...sizes.map((size) => `µs at ${size.toLocaleString('en')}`), 'bytes per task'],
    rows,
  );
}

const STORES = {
  memory: async () => ({
    store: new MemoryTaskStore({ maxTasks: MANY, maxBytes: BYTES }),
    bytes: () => {
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    },
    close: () => {},
  }),
  SQLite: async (folder) => {
    const file = join(folder, 'tasks.db');
    const stores = sqliteStores(file, { maxTasks: MANY, maxTaskBytes: BYTES });
    return {
      store: stores.tasks,
      bytes: () => statSync(file).size,
      // A write takes milliseconds.
      round: 300,
      fill: (_store, from, count) => copyTasks(file, from, count),
      close: () => stores.close(),
    };
  },
  Redis: async () => {
    const url = process.env.REDIS_URL;
    if (url === undefined) throw new Error('Set REDIS_URL.');
    const control = await createClient({ url }).connect();
    await control.flushAll();
    const stores = redisStores(createClient({ url }), { prefix: 'tasks', logger: silentLogger });
    return {
      store: stores.tasks,
      bytes: async () => Number(/used_memory:(\d+)/.exec(await control.info('memory'))?.[1]),
      close: async () => {
        stores.close();
        await control.flushAll();
        await control.quit();
      },
    };
  },
};

/** Copies the first task: each write of the store waits for the disk. */
function copyTasks(file, from, count) {
  const database = new Database(file);
  const columns = 'record, result, bytes, created_at, ended_at, expires_at, process, alive_until';
  database
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO toolwright_tasks (task_id, owner, ${columns})
       SELECT 'task-' || printf('%032x', n), 'owner-' || (n % 1000), ${columns}
       FROM numbers, (SELECT * FROM toolwright_tasks LIMIT 1)`,
    )
    .run(from, from + count - 1);
  database.close();
}

/** Returns the microseconds per task: the wall time, because Redis and the disk are other processes. */
async function addTasks(store, from, count) {
  if (count <= 0) return 0;
  let next = from;
  const startedAt = performance.now();
  const run = async () => {
    while (next < from + count) {
      const index = next;
      next += 1;
      const record = toRecord(index);
      await store.put(record);
      await store.put({ ...record, status: 'completed', ttlMs: 86_400_000, result: RESULT });
      const read = await store.get(record.taskId);
      if (read?.status !== 'completed') throw new Error(`wrong task: ${JSON.stringify(read)}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, run));
  return ((performance.now() - startedAt) * 1000) / count;
}

const RESULT = { content: [{ type: 'text', text: 'done' }] };

function toRecord(index) {
  const now = new Date().toISOString();
  return {
    taskId: `task-${index.toString(16).padStart(32, '0')}`,
    owner: `owner-${index % 1000}`,
    status: 'working',
    createdAt: now,
    lastUpdatedAt: now,
    ttlMs: null,
    pollIntervalMs: 1000,
  };
}
