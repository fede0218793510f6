import { describe } from 'vitest';
import type { SqliteStores } from '../../src/sqlite.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { confirmationSuite } from './suites/confirmations.ts';
import { taskSuite } from './suites/tasks.ts';
import { openStores, sqlitePath } from './support/sqlite-file.ts';

/** Two connections to one file, as of two processes. */
function openTwice(): {
  readonly clock: FakeClock;
  readonly first: SqliteStores;
  readonly second: SqliteStores;
  readonly pass: (ms: number) => void;
} {
  const [clock, path] = [new FakeClock(), sqlitePath()];
  const [first, second] = [openStores(path, { clock }), openStores(path, { clock })];
  return { clock, first, second, pass: (ms: number) => clock.advance(ms) };
}

describe('sqliteStores: tasks', () => {
  taskSuite(() => {
    const { clock, first, second, pass } = openTwice();
    const now = (): string => new Date(clock.now()).toISOString();
    return { store: first.tasks, other: second.tasks, now, pass };
  });
});

describe('sqliteStores: confirmations', () => {
  confirmationSuite(() => {
    const { first, second, pass } = openTwice();
    return { store: first.confirmations, other: second.confirmations, pass };
  });
});
