/** Counts calls of one key until none is allowed, and prints the number of allowed ones: node consume-calls.mjs <file> <key> <limit>. */
import { createJiti } from 'jiti';

const [, , file, key, limit] = process.argv;
const load = (path) => createJiti(import.meta.url).import(`../../src/${path}`);
const { openDatabase } = await load('database/database.ts');
const { DatabaseRateLimitStore } = await load('limits/database-rate-limit-store.ts');

const database = openDatabase(file);
const clock = { now: () => 0, wallTime: () => 1_000_000 };
const store = new DatabaseRateLimitStore(database, { clock });
process.send('ready');
process.once('message', () => {
  let allowed = 0;
  while (store.consume(key, { limit: Number(limit), perMs: 60_000 }).allowed) allowed += 1;
  database.close();
  process.send(allowed, () => process.disconnect());
});
