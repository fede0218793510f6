import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concurrency } from '../../../../src/middleware/builtin/concurrency.ts';
import { Cancellation } from '../../../../src/base/time/cancellation.ts';
import { WaitingLines } from '../../../../src/middleware/parts/waiting-lines.ts';
import { chainOf, deferred, settle, TestContext } from './harness.ts';

/** A handler whose calls end when the test says so; the input is their name. */
function controlled(): {
  handler: (call: { input: unknown }) => Promise<unknown>;
  started: unknown[];
  end: (name: string) => void;
} {
  const open = new Map<unknown, () => void>();
  const started: unknown[] = [];
  const handler = ({ input }: { input: unknown }): Promise<unknown> => {
    started.push(input);
    return new Promise((resolve) => open.set(input, () => resolve(input)));
  };
  return { handler, started, end: (name) => open.get(name)?.() };
}

describe('concurrency', () => {
  test('at most so many run at once, and the others follow in the order in which they came', async () => {
    const { handler, started, end } = controlled();
    const chain = chainOf(handler, [concurrency({ limit: 2 })]);
    const results = ['a', 'b', 'c', 'd'].map((name) => chain(name));
    await settle();
    expect(started).toEqual(['a', 'b']);
    end('b');
    await settle();
    expect(started).toEqual(['a', 'b', 'c']);
    end('a');
    await settle();
    for (const name of ['c', 'd']) end(name);
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a call that throws gives its place back', async () => {
    const chain = chainOf(
      ({ input }) => {
        if (input === 'bad') throw new Error('broken');
        return input;
      },
      [concurrency({ limit: 1 })],
    );
    const bad = chain('bad');
    const good = chain('good');
    await expect(bad).rejects.toThrow('broken');
    expect(await good).toBe('good');
  });

  test('a waiting call that is cancelled leaves the line at once and frees nothing', async () => {
    const { handler, started, end } = controlled();
    const chain = chainOf(handler, [concurrency({ limit: 1 })]);
    const context = new TestContext();
    const first = chain('a');
    const second = chain('b', context);
    const third = chain('c');
    context.stop(undefined);
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    await settle();
    expect(started).toEqual(['a']);
    end('a');
    await first;
    await settle();
    expect(started).toEqual(['a', 'c']);
    end('c');
    expect(await third).toBe('c');
  });

  test('a running call that is cancelled keeps its place until it has ended', async () => {
    const { handler, started, end } = controlled();
    const chain = chainOf(handler, [concurrency({ limit: 1 })]);
    const context = new TestContext();
    const first = chain('a', context);
    const second = chain('b');
    context.stop(undefined);
    await settle();
    expect(started).toEqual(['a']);
    end('a');
    await first;
    await settle();
    end('b');
    expect(await second).toBe('b');
  });

  test('a call that is cancelled before it comes never starts, though there is room', async () => {
    const { handler, started } = controlled();
    const context = new TestContext();
    context.stop(undefined);
    const call = chainOf(handler, [concurrency({ limit: 1 })])('a', context);
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(started).toEqual([]);
  });

  test('a full line refuses with BUSY; 512 wait by default', async () => {
    const chain = chainOf(() => new Promise(() => {}), [concurrency({ limit: 1 })]);
    for (let call = 0; call < 513; call += 1) void chain();
    await expect(chain()).rejects.toMatchObject({
      code: 'BUSY',
      message: 'Too many calls are already running or waiting. Try again in a moment.',
    });
  });

  test('with a key, each has its own limit and its own line', async () => {
    const { handler, started, end } = controlled();
    const by = ({ input }: { input: unknown }): string => String(input).slice(0, 1);
    const chain = chainOf(handler, [concurrency({ limit: 1, maxWaiting: 1, by })]);
    const results = ['a1', 'a2', 'b1', 'b2'].map((name) => chain(name));
    await expect(chain('a3')).rejects.toMatchObject({ code: 'BUSY' });
    expect(started).toEqual(['a1', 'b1']);
    for (const name of ['a1', 'b1', 'a2', 'b2']) {
      end(name);
      await settle();
    }
    expect(await Promise.all(results)).toEqual(['a1', 'a2', 'b1', 'b2']);
  });

  test.each([0, 1.5, Number.NaN])('a limit of %d is refused when it is made', (limit) => {
    expect(() => concurrency({ limit })).toThrow('concurrency: limit must be an integer');
  });
});

describe('the waiting lines', () => {
  test('unused keys are removed', async () => {
    const lines = new WaitingLines({ limit: 1, maxWaiting: 10 });
    const works = Array.from({ length: 100 }, () => deferred());
    const cancelled = new Cancellation();
    const runs = works.map(({ promise }, index) => lines.run(`k${index}`, new Cancellation(), () => promise));
    const waiting = lines.run('k0', cancelled, () => Promise.resolve());
    expect(lines.keys).toBe(100);
    cancelled.cancel(undefined);
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    for (const work of works) work.resolve(1);
    await Promise.all(runs);
    expect(lines.keys).toBe(0);
  });

  test('10,000 wait in all, however many keys there are', async () => {
    const lines = new WaitingLines({ limit: 1, maxWaiting: 100 });
    const forever = (): Promise<never> => new Promise(() => {});
    const refused: unknown[] = [];
    for (let call = 0; call < 10_101; call += 1) {
      // 100 keys, each with one running call and 100 waiting ones: one more is rejected, whatever its key.
      for (const key of call < 10_100 ? [`k${call % 100}`] : ['other', 'other'])
        lines.run(key, new Cancellation(), forever).catch((error: unknown) => refused.push(error));
    }
    await settle();
    expect(refused).toMatchObject([{ code: 'BUSY' }]);
  });

  test('whatever comes, ends, throws or is cancelled: the limit holds, no slot is lost, the order stays', async () => {
    const action = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('come' as const), key: fc.nat(1) }) },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('end' as const), pick: fc.nat(), isBad: fc.boolean() }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('abort' as const), pick: fc.nat() }) },
    );
    const schedule = fc.array(fc.tuple(action, fc.boolean()), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), schedule, async (limit, steps) => {
        const world = new World(limit);
        for (const [step, waits] of steps) {
          if (step.kind === 'come') world.come(step.key);
          else if (step.kind === 'end') world.end(step.pick, step.isBad);
          else world.cancel(step.pick);
          // Sometimes several things happen before the queue can react.
          if (waits) await world.check();
        }
        await world.drain();
      }),
      { numRuns: 300 },
    );
  });
});

interface Worker {
  readonly id: number;
  readonly key: number;
  readonly cancellation: Cancellation;
  readonly work: ReturnType<typeof deferred>;
  state: 'waiting' | 'running' | 'over' | 'aborted';
}

/** Drives the queues and knows their expected state. */
class World {
  readonly #lines: WaitingLines;
  readonly #limit: number;
  readonly #workers: Worker[] = [];
  readonly #started: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
    this.#lines = new WaitingLines({ limit, maxWaiting: 1000 });
  }

  come(key: number): void {
    const worker: Worker = {
      id: this.#workers.length,
      key,
      cancellation: new Cancellation(),
      work: deferred(),
      state: 'waiting',
    };
    this.#workers.push(worker);
    const start = (): Promise<unknown> => {
      expect(worker.state).toBe('waiting');
      worker.state = 'running';
      this.#started.push(worker.id);
      expect(this.#in('running', key).length).toBeLessThanOrEqual(this.#limit);
      return worker.work.promise;
    };
    this.#lines.run(String(key), worker.cancellation, start).catch(() => {});
  }

  end(pick: number, isBad: boolean): void {
    const running = this.#workers.filter(({ state }) => state === 'running');
    const worker = running[pick % Math.max(1, running.length)];
    if (worker === undefined) return;
    worker.state = 'over';
    if (isBad) worker.work.reject(new Error('broken'));
    else worker.work.resolve(1);
  }

  /** A running worker is not affected: it keeps its slot. */
  cancel(pick: number): void {
    const worker = this.#workers[pick % Math.max(1, this.#workers.length)];
    if (worker === undefined) return;
    if (worker.state === 'waiting') worker.state = 'aborted';
    worker.cancellation.cancel(undefined);
  }

  async check(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const key of [0, 1]) {
      const mine = this.#workers.filter((worker) => worker.key === key);
      const alive = mine.filter(({ state }) => state === 'running' || state === 'waiting');
      // No slot is lost: the maximum number runs.
      expect(this.#in('running', key)).toHaveLength(Math.min(this.#limit, alive.length));
      const started = this.#started.filter((id) => this.#workers[id]?.key === key);
      expect(started).toEqual(started.toSorted((a, b) => a - b));
    }
  }

  async drain(): Promise<void> {
    await this.check();
    while (this.#workers.some(({ state }) => state === 'running')) {
      this.end(0, false);
      await this.check();
    }
    expect(this.#lines.keys).toBe(0);
    expect(this.#workers.every(({ state }) => state === 'over' || state === 'aborted')).toBe(true);
  }

  #in(state: Worker['state'], key: number): Worker[] {
    return this.#workers.filter((worker) => worker.state === state && worker.key === key);
  }
}
