/** Writes to a file until it is killed, and prints a line for each change that a store has confirmed: node sqlite-writer.mjs <path> <name>. */
import { writeSync } from 'node:fs';
import { createJiti } from 'jiti';

const [, , path, name] = process.argv;
const { sqliteStores } = await createJiti(import.meta.url).import('../../../src/sqlite.ts');
const say = (line) => writeSync(1, `${line}\n`);
say('begin');
const stores = sqliteStores(path, { state: { maxEntriesPerOwner: 100_000, maxBytesPerOwner: 100_000_000 } });
const now = new Date().toISOString();
const times = { createdAt: now, lastUpdatedAt: now, ttlMs: 3_600_000, pollIntervalMs: 1000 };

for (let index = 0; ; index += 1) {
  const id = `${name}-${index}`;
  await stores.state.set(name, id, JSON.stringify(id), { ttlMs: 3_600_000 });
  say(`state ${id}`);
  await stores.tasks.put({ taskId: id, owner: name, status: 'completed', result: { id }, ...times });
  say(`task ${id}`);
  await stores.confirmations.put(id, id, 3_600_000, name);
  say(`confirmation ${id}`);
  const { allowed } = await stores.rateLimits.consume('shared', { limit: 1_000_000, perMs: 3_600_000 });
  if (allowed) say(`call ${id}`);
}
