import { expect, test } from 'vitest';
import { watchLoad } from '../../../src/cli/target/watch-load.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function start(): {
  clock: FakeClock;
  said: string[];
  settle: (value: number) => void;
  loaded: Promise<number>;
} {
  const clock = new FakeClock();
  const said: string[] = [];
  let settle: (value: number) => void = () => {};
  const loading = new Promise<number>((resolve) => {
    settle = resolve;
  });
  const loaded = watchLoad('/srv/server.mjs', loading, { onSlow: (message) => said.push(message), clock });
  return { clock, said, settle, loaded };
}

test('a load that takes long is reported once, and goes on', async () => {
  const { clock, said, settle, loaded } = start();
  clock.advance(9999);
  expect(said).toEqual([]);
  clock.advance(1);
  clock.advance(60_000);
  expect(said).toEqual([
    'server.mjs is still loading after 10 s. Look for a top-level await, in it or in a module that it imports, that does not settle, such as a connection without a timeout.',
  ]);
  settle(5);
  expect(await loaded).toBe(5);
});

test('a load that ends leaves no timer and no listener', async () => {
  const before = process.listenerCount('beforeExit');
  const { clock, said, settle, loaded } = start();
  expect([clock.pending, process.listenerCount('beforeExit')]).toEqual([1, before + 1]);
  settle(5);
  await loaded;
  expect([clock.pending, process.listenerCount('beforeExit'), said]).toEqual([0, before, []]);
});
