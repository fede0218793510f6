import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Supervisor } from '../../../../src/cli/dev/supervisor.ts';
import type { Begun, Worker } from '../../../../src/cli/dev/supervisor.ts';
import type { ServerSketch } from '../../../../src/cli/dev/messages.ts';
import { LoadFailure } from '../../../../src/cli/dev/worker-process.ts';
import type { WorkerOptions } from '../../../../src/cli/dev/worker-process.ts';
import { createPaint } from '../../../../src/cli/terminal/terminal.ts';
import { createServer } from '../../../../src/index.ts';
import { servedOf } from '../../../../src/server/served-of.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { connectDirectly } from '../../../support/served-clients.ts';

const { limits } = servedOf(createServer({ name: 's', version: '1' }));

function sketch(version: string, kinds: ServerSketch['kinds'] = ['tools']): ServerSketch {
  return {
    info: { name: 'demo', version },
    instructions: undefined,
    limits,
    kinds,
    uris: [],
    uriTemplates: [],
    transport: undefined,
    remarks: [],
  };
}

/** A worker that tests load, break and crash by hand. */
class FakeWorker implements Worker {
  readonly ready: Promise<ServerSketch>;
  readonly options: WorkerOptions;
  closedWith: number | undefined;
  load: (sketch: ServerSketch) => void = () => {};
  fail: (message: string) => void = () => {};

  constructor(options: WorkerOptions) {
    this.options = options;
    this.ready = new Promise((resolve, reject) => {
      this.load = resolve;
      this.fail = (message) => reject(new LoadFailure(message));
    });
  }

  answer(): Promise<{ text: string; status: number }> {
    return Promise.resolve({ text: '', status: 200 });
  }

  hasTask(): Promise<boolean> {
    return Promise.resolve(false);
  }

  close(drainMs: number): Promise<void> {
    this.closedWith = drainMs;
    return Promise.resolve();
  }
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'supervisor-'));
});
afterEach(() => rm(folder, { recursive: true }));

function supervise(): {
  clock: FakeClock;
  said: string[];
  workers: FakeWorker[];
  supervisor: Supervisor;
  begun: Promise<Begun>;
} {
  const clock = new FakeClock();
  const said: string[] = [];
  const workers: FakeWorker[] = [];
  const supervisor = new Supervisor({
    file: undefined,
    clock,
    terminal: { cwd: folder, err: (text) => said.push(text), paintErr: createPaint(false) },
    startWorker: (options) => {
      const worker = new FakeWorker(options);
      workers.push(worker);
      return worker;
    },
  });
  return { clock, said, workers, supervisor, begun: supervisor.begin() };
}

/** Runs everything that is ready. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('notes on documents are printed for each version', async () => {
  const { said, workers, begun, supervisor } = supervise();
  workers[0]?.load({
    ...sketch('1'),
    remarks: ['Pets 1: 1 tool of 2 operations, 1 refused', '  GET /a: why'],
  });
  await begun;
  expect(said).toEqual(['openapi Pets 1: 1 tool of 2 operations, 1 refused', 'openapi   GET /a: why']);
  await supervisor.close();
});

describe('a server that crashes', () => {
  test('is started again when it had run for a while', async () => {
    const { clock, said, workers, begun, supervisor } = supervise();
    workers[0]?.load(sketch('1'));
    await begun;
    clock.advance(2000);
    workers[0]?.options.onCrash('it ended with code 1');
    expect(said).toEqual(['crashed it ended with code 1.']);
    workers[1]?.load(sketch('1'));
    await settle();
    expect(said.at(-1)).toBe('reloaded demo 1 in 0 ms');
    await supervisor.close();
  });

  test('waits for a change when it had not', async () => {
    const { clock, said, workers, begun, supervisor } = supervise();
    workers[0]?.load(sketch('1'));
    await begun;
    clock.advance(1999);
    workers[0]?.options.onCrash('it ended with code 1');
    expect(said).toEqual(['crashed it ended with code 1.', 'waiting for a change.']);
    expect(workers).toHaveLength(1);
    await supervisor.close();
  });
});

/** Changes a source file of the server, and waits until it is noticed. */
async function change({ clock, workers, said }: ReturnType<typeof supervise>, text: string): Promise<void> {
  const file = join(folder, 'server.js');
  const before = workers.length;
  writeFileSync(file, text);
  workers.at(-1)?.options.onFiles([file]);
  writeFileSync(file, `${text}changed`);
  for (let turns = 0; workers.length === before; turns += 1) {
    if (turns > 100_000) throw new Error(`nothing was noticed: ${said.join('\n')}`);
    await settle();
    clock.advance(100);
  }
}

test('a change while a version is being loaded starts another one, and the first is never served', async () => {
  const supervised = supervise();
  const { workers, begun, said, supervisor } = supervised;
  workers[0]?.load(sketch('1'));
  const { hot } = await begun;
  await change(supervised, 'one');
  await change(supervised, 'two');
  expect(workers[1]?.closedWith).toBe(0);
  workers[1]?.load(sketch('never'));
  await settle();
  workers[2]?.load(sketch('3'));
  await settle();
  expect(said.filter((line) => line.startsWith('reloaded'))).toEqual([
    expect.stringMatching(/^reloaded demo 3 in \d+ ms$/),
  ]);
  expect(workers[0]?.closedWith).toBe(600_000);
  await using client = await connectDirectly('v1', hot.server);
  expect(client.official.getServerVersion()).toEqual({ name: 'demo', version: '3' });
  await supervisor.close();
  expect(workers[2]?.closedWith).toBe(5000);
});

test('a version that cannot be loaded leaves the one before alone', async () => {
  const supervised = supervise();
  const { workers, begun, said, supervisor } = supervised;
  workers[0]?.load(sketch('1'));
  await begun;
  await change(supervised, 'one');
  workers[1]?.fail('line 3 is wrong');
  await settle();
  expect(said.slice(-2)).toEqual([
    'error line 3 is wrong',
    'waiting for a change. The previous version continues to serve.',
  ]);
  expect(workers[0]?.closedWith).toBeUndefined();
  await supervisor.close();
});

test('notifications of a replaced version are dropped', async () => {
  const supervised = supervise();
  const { workers, begun, supervisor } = supervised;
  workers[0]?.load(sketch('1', ['tools', 'resources']));
  const { hot } = await begun;
  const heard: string[] = [];
  servedOf(hot.server).bus.subscribe((event) =>
    heard.push(event.kind === 'resource' ? event.uri : event.kind),
  );
  workers[0]?.options.onEvent({ kind: 'resource', uri: 'a://old' });
  await change(supervised, 'one');
  workers[1]?.load(sketch('2', ['tools', 'prompts']));
  await settle();
  workers[0]?.options.onEvent({ kind: 'resource', uri: 'a://late' });
  workers[1]?.options.onEvent({ kind: 'resource', uri: 'a://new' });
  expect(heard).toEqual(['a://old', 'tools', 'prompts', 'resources', 'a://new']);
  await using client = await connectDirectly('v2 legacy', hot.server);
  expect(Object.keys(client.official.getServerCapabilities() ?? {}).toSorted()).toEqual([
    'completions',
    'logging',
    'prompts',
    'tools',
  ]);
  await supervisor.close();
});
