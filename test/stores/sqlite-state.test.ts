import { expect, test } from 'vitest';
import { FakeClock } from '../support/fake-clock.ts';
import { describeStateBounds, describeStateStore } from './suites/state.ts';
import type { OpenStateStore } from './suites/state.ts';
import { openStores, query, sqlitePath } from './support/sqlite-file.ts';

/** Two connections to one file, as of two processes. */
const open: OpenStateStore = (state = {}) => {
  const [clock, path] = [new FakeClock(), sqlitePath()];
  const [store, other] = [openStores(path, { state, clock }).state, openStores(path, { state, clock }).state];
  return { store, other, advance: (ms) => clock.advance(ms) };
};

describeStateStore('sqliteStores', open);
describeStateBounds('sqliteStores', open);

test('expired values are removed while others are stored', async () => {
  const [clock, path] = [new FakeClock(), sqlitePath()];
  const { state } = openStores(path, { clock, state: { maxEntries: 1000 } });
  for (let index = 0; index < 150; index += 1) await state.set('ada', `k${index}`, '1', { ttlMs: 1000 });
  clock.advance(1000);
  for (let index = 0; index < 2; index += 1) await state.set('eve', `k${index}`, '1', { ttlMs: 1000 });
  expect(query(path, 'SELECT count(*) AS count FROM toolwright_state')).toEqual([{ count: 2 }]);
});

test('the counters of owners are those of the rows, whatever was done', async () => {
  const path = sqlitePath();
  const { state } = openStores(path, { clock: new FakeClock() });
  let seed = 7;
  const draw = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let step = 0; step < 500; step += 1) {
    const [owner, key] = [`o${draw(3)}`, `k${draw(5)}`];
    const what = draw(4);
    if (what === 0) await state.delete(owner, key);
    else if (what === 1) await state.take(owner, key);
    else await state.set(owner, key, 'x'.repeat(draw(50)), { ttlMs: 1000, ifAbsent: what === 2 });
  }
  const counted = query(
    path,
    "SELECT owner, entries, bytes FROM toolwright_shares WHERE name = 'toolwright_state' ORDER BY owner",
  );
  const found = query(
    path,
    'SELECT owner, count(*) AS entries, sum(bytes) AS bytes FROM toolwright_state GROUP BY owner ORDER BY owner',
  );
  expect(counted).toEqual(found);
  expect(counted).toHaveLength(3);
  const total = query(path, "SELECT entries, bytes FROM toolwright_sizes WHERE name = 'toolwright_state'");
  expect(total).toEqual(query(path, 'SELECT count(*) AS entries, sum(bytes) AS bytes FROM toolwright_state'));
});
