import { expect, test } from 'vitest';
import type { Serving } from '../../../../src/cli/workers/messages.ts';
import { WorkerFailure, WorkerGroup } from '../../../../src/cli/workers/worker-group.ts';
import type { GroupWorker } from '../../../../src/cli/workers/worker-group.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const SERVING: Serving = {
  name: 'demo',
  version: '1.0.0',
  url: 'http://127.0.0.1:3000/mcp',
  tryLine: undefined,
  remarks: [],
};

class FakeWorker implements GroupWorker {
  readonly name: string;
  readonly ready: Promise<Serving>;
  readonly leaving: Promise<string>;
  readonly ended: Promise<string>;
  /** What it was told. */
  readonly told: string[] = [];
  serve: (serving?: Partial<Serving>) => void = () => {};
  fail: (message?: string) => void = () => {};
  leave: () => void = () => {};
  end: (reason?: string) => void = () => {};

  constructor(name: string) {
    this.name = name;
    this.leaving = new Promise((resolve) => {
      this.leave = () => resolve('it ends because of a stray error');
    });
    this.ended = new Promise((resolve) => {
      this.end = (reason = 'it was ended by SIGKILL') => resolve(reason);
    });
    this.ready = new Promise((resolve, reject) => {
      this.serve = (serving) => resolve({ ...SERVING, ...serving });
      this.fail = (message = 'no database') => reject(new WorkerFailure(message, 3));
      void this.ended.then((reason) => reject(new WorkerFailure(reason, 3)));
    });
    this.ready.catch(() => {});
  }

  close(isReplaced: boolean): void {
    this.told.push(isReplaced ? 'hand over' : 'close');
  }

  kill(): void {
    this.told.push('kill');
    this.end();
  }
}

/** Lets all promises settle. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Sample {
  readonly clock = new FakeClock();
  readonly workers: FakeWorker[] = [];
  readonly said: string[] = [];
  readonly codes: number[] = [];
  readonly group: WorkerGroup;

  constructor(count: number) {
    this.group = new WorkerGroup({
      count,
      clock: this.clock,
      startWorker: () => {
        const worker = new FakeWorker(String(this.workers.length + 1));
        this.workers.push(worker);
        return worker;
      },
      say: (_colour, what, text) => this.said.push(`${what} ${text}`),
      onGivenUp: (code) => this.codes.push(code),
    });
  }

  /** A group whose workers all serve. */
  static async serving(count: number): Promise<Sample> {
    const sample = new Sample(count);
    const begun = sample.group.begin();
    for (let index = 0; index < count; index += 1) {
      await settle();
      sample.worker(index + 1).serve();
    }
    await begun;
    return sample;
  }

  worker(number: number): FakeWorker {
    const worker = this.workers[number - 1];
    if (worker === undefined) throw new Error(`worker ${number} was not started`);
    return worker;
  }
}

test('a mistake in the server is found with the first worker, and no other is started', async () => {
  const sample = new Sample(4);
  const begun = sample.group.begin();
  sample.worker(1).fail('The server could not be started: it was ended by SIGKILL.');
  await expect(begun).rejects.toMatchObject({
    message: 'The server could not be started: it was ended by SIGKILL.',
    code: 3,
  });
  expect(sample.workers.length).toBe(1);
});

test('if a further worker cannot serve, the others are ended', async () => {
  const sample = new Sample(2);
  const begun = sample.group.begin();
  sample.worker(1).serve();
  await settle();
  sample.worker(2).fail('port 9090 is in use');
  await expect(begun).rejects.toThrow('port 9090 is in use');
  expect(sample.worker(1).told).toEqual(['kill']);
});

test('a worker that does not serve within a minute is ended', async () => {
  const sample = new Sample(1);
  const begun = sample.group.begin();
  sample.clock.advance(60_000);
  await expect(begun).rejects.toThrow(
    'The server did not start within 60 s. Look for a top-level await that does not settle.',
  );
});

test('a worker that ends is replaced, the next ones with a growing delay until one has served for 10 s', async () => {
  const sample = await Sample.serving(1);
  const next = async (delayMs: number): Promise<void> => {
    const count = sample.workers.length;
    sample.worker(count).end('it ended with code 1');
    await settle();
    if (delayMs > 0) sample.clock.advance(delayMs - 1);
    expect(sample.workers.length).toBe(count);
    sample.clock.advance(delayMs > 0 ? 1 : 0);
    sample.worker(count + 1).serve();
    await settle();
  };
  for (const delayMs of [0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) await next(delayMs);
  sample.clock.advance(10_000);
  await next(0);
  await next(500);
  expect(sample.said.slice(0, 2)).toEqual([
    'ended worker 1: it ended with code 1. Starting another one.',
    'ended worker 2: it ended with code 1. Starting another one in 0.5 s.',
  ]);
});

test('a worker that drains because of an error is replaced immediately, and killed if it does not end in 20 s', async () => {
  const sample = await Sample.serving(1);
  sample.worker(1).leave();
  await settle();
  sample.clock.advance(0);
  sample.worker(2).serve();
  await settle();
  sample.clock.advance(19_999);
  expect(sample.worker(1).told).toEqual(['hand over']);
  sample.clock.advance(1);
  await settle();
  expect(sample.worker(1).told).toEqual(['hand over', 'kill']);
  expect([sample.workers.length, sample.worker(2).told, sample.clock.pending]).toEqual([2, [], 0]);
  expect(sample.said).toEqual(['ended worker 1: it ends because of a stray error. Starting another one.']);
});

test('a group without workers gives up after five starts that fail', async () => {
  const sample = await Sample.serving(1);
  sample.worker(1).end();
  await settle();
  for (const delayMs of [0, 500, 1000, 2000, 4000]) {
    expect(sample.codes).toEqual([]);
    sample.clock.advance(delayMs);
    sample.worker(sample.workers.length).fail();
    await settle();
  }
  expect(sample.codes).toEqual([3]);
  expect(sample.workers.length).toBe(6);
  expect(sample.said.at(-1)).toBe('error No worker serves, and none could be started after 5 attempts.');
});

test('a group with a worker does not give up', async () => {
  const sample = await Sample.serving(2);
  sample.worker(1).end();
  await settle();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    sample.clock.advance(30_000);
    sample.worker(sample.workers.length).fail();
    await settle();
  }
  expect([sample.codes, sample.workers.length]).toEqual([[], 22]);
});

test('workers are replaced one after the other, each only after another one serves', async () => {
  const sample = await Sample.serving(2);
  const replaced = sample.group.replaceAll();
  await settle();
  expect([sample.workers.length, sample.worker(1).told]).toEqual([3, []]);
  sample.worker(3).serve({ version: '2.0.0' });
  await settle();
  expect([sample.worker(1).told, sample.worker(2).told]).toEqual([['hand over'], []]);
  // The second one waits until the first has drained.
  expect(sample.workers.length).toBe(3);
  sample.worker(1).end('it ended with code 0');
  await settle();
  sample.worker(4).serve({ version: '2.0.0' });
  await settle();
  sample.worker(2).end('it ended with code 0');
  await replaced;
  expect(sample.said).toEqual([
    'replaced worker 1 (1 of 2): demo 2.0.0',
    'replaced worker 2 (2 of 2): demo 2.0.0',
  ]);
  expect(sample.workers.length).toBe(4);
});

test('a version that cannot be loaded leaves the remaining workers as they are', async () => {
  const sample = await Sample.serving(2);
  const replaced = sample.group.replaceAll();
  await settle();
  sample.worker(3).fail('no database');
  await replaced;
  expect([sample.worker(1).told, sample.worker(2).told]).toEqual([[], []]);
  expect(sample.said).toEqual(['error no database', 'kept The previous version continues to serve.']);
});

test('a second SIGHUP during a replacement replaces all workers once more', async () => {
  const sample = await Sample.serving(1);
  const replaced = sample.group.replaceAll();
  await settle();
  void sample.group.replaceAll();
  void sample.group.replaceAll();
  sample.worker(2).serve();
  await settle();
  sample.worker(1).end();
  await settle();
  sample.worker(3).serve();
  await settle();
  sample.worker(2).end();
  await replaced;
  expect(sample.workers.length).toBe(3);
});

test('a worker that was starting before SIGHUP is replaced too: it may have loaded earlier files', async () => {
  const sample = await Sample.serving(2);
  sample.worker(1).end();
  await settle();
  sample.clock.advance(0);
  const replaced = sample.group.replaceAll();
  await settle();
  for (const [next, old] of [
    [4, 2],
    [5, 3],
  ] as const) {
    sample.worker(3).serve({ version: '1.0.0' });
    sample.worker(next).serve({ version: '2.0.0' });
    await settle();
    expect(sample.worker(old).told).toEqual(['hand over']);
    sample.worker(old).end('it ended with code 0');
    await settle();
  }
  await replaced;
  expect(sample.workers.length).toBe(5);
});

test('a worker that does not drain in 20 s is killed', async () => {
  const sample = await Sample.serving(1);
  const closed = sample.group.close();
  sample.clock.advance(19_999);
  expect(sample.worker(1).told).toEqual(['close']);
  sample.clock.advance(1);
  await closed;
  expect(sample.worker(1).told).toEqual(['close', 'kill']);
});

test('a group that closes starts nothing more', async () => {
  const sample = await Sample.serving(2);
  sample.worker(1).end();
  await settle();
  const replaced = sample.group.replaceAll();
  await settle();
  const closed = sample.group.close();
  sample.worker(2).end();
  await Promise.all([closed, replaced]);
  sample.clock.advance(60_000);
  expect([sample.workers.length, sample.worker(3).told, sample.clock.pending]).toEqual([
    3,
    ['kill', 'close'],
    0,
  ]);
});

test('a new address is shown', async () => {
  const sample = await Sample.serving(1);
  sample.worker(1).end();
  await settle();
  sample.clock.advance(0);
  sample.worker(2).serve({ url: 'http://127.0.0.1:4000/mcp' });
  await settle();
  expect(sample.said.at(-1)).toBe('serving at http://127.0.0.1:4000/mcp');
});
