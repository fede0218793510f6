/** Counts calls of one key until none is allowed, when it is told to start, and sends the number: node sqlite-caller.mjs <path> <limit>. */
import { once } from 'node:events';
import { createJiti } from 'jiti';

const [, , path, limit] = process.argv;
const { sqliteStores } = await createJiti(import.meta.url).import('../../../src/sqlite.ts');
const started = once(process, 'message');
process.send('ready');
await started;
// All processes create the file at the same time.
const { rateLimits, close } = sqliteStores(path);
let allowed = 0;
while ((await rateLimits.consume('shared', { limit: Number(limit), perMs: 3_600_000 })).allowed) allowed += 1;
close();
process.send(allowed, () => process.disconnect());
