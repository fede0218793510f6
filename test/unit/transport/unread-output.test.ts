import { PassThrough, Writable } from 'node:stream';
import * as z from 'zod';
import { expect, onTestFinished, test } from 'vitest';
import { createServer, defineTool } from '../../../src/index.ts';
import { servedOf } from '../../../src/server/served-of.ts';
import { serveStdio } from '../../../src/stdio.ts';
import { modernMessage } from '../../protocol/support/rpc.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const DRAIN_MS = 5000;

/** An output whose reader takes one message at a time, controlled by the test. */
class SlowOutput extends Writable {
  readonly taken: string[] = [];
  #take: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (chunk.length === 0) return done();
    this.#take = () => {
      this.taken.push(chunk.toString());
      done();
    };
  }

  /** Takes the next message, if there is one. */
  take(): void {
    const take = this.#take;
    this.#take = undefined;
    take?.();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function turns(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await turn();
}

function start() {
  const clock = new FakeClock();
  const calls = { begun: 0, waiting: 0 };
  const large = defineTool({
    name: 'large',
    description: 'Returns 600 KB',
    inputSchema: z.object({}),
    handler: () => {
      calls.begun += 1;
      return 'x'.repeat(600_000);
    },
  });
  const report = defineTool({
    name: 'report',
    description: 'Logs until it has been read',
    inputSchema: z.object({}),
    handler: async ({ context }) => {
      calls.waiting += 1;
      await context.sendLog('error', 'x'.repeat(100_000));
      calls.waiting -= 1;
    },
  });
  const server = createServer({ name: 'slow', version: '1.0.0', tools: [large, report], clock });
  const input = new PassThrough();
  const output = new SlowOutput();
  const running = serveStdio(server, { input, output, drainMs: DRAIN_MS });
  let isClosed = false;
  void running.closed.then(() => (isClosed = true));
  onTestFinished(() => void output.destroy());
  const call = (name: string): void => {
    const meta = { 'io.modelcontextprotocol/logLevel': 'debug' };
    input.write(`${JSON.stringify(modernMessage('tools/call', { name }, { meta }))}\n`);
  };
  const { memory } = servedOf(server);
  return { clock, calls, input, output, running, call, memory, isClosed: () => isClosed };
}

test('the end of the input is seen though the output is not read, and ends the connection', async () => {
  const { clock, calls, input, call, isClosed } = start();
  for (let count = 0; count < 5; count += 1) {
    call('large');
    await turn();
  }
  // More than 1 MiB is queued after the second.
  expect(calls.begun).toBe(2);
  input.end();
  await turns();
  expect(isClosed()).toBe(false);
  clock.advance(DRAIN_MS);
  await turns();
  clock.advance(200);
  await turns();
  clock.advance(200);
  await turns();
  expect([isClosed(), calls.begun]).toEqual([true, 2]);
});

test('a client that reads slowly gets every answer after it has closed its end', async () => {
  const { clock, calls, input, output, call, isClosed } = start();
  for (let count = 0; count < 5; count += 1) {
    call('large');
    await turn();
  }
  input.end();
  await turns();
  for (let count = 0; count < 5; count += 1) {
    clock.advance(DRAIN_MS - 1);
    output.take();
    await turns();
  }
  expect([calls.begun, output.taken.length, isClosed()]).toEqual([5, 5, true]);
});

test('no more than 1 MiB is read from a client that does not read, and it is counted', async () => {
  const { input, output, call, memory } = start();
  for (let count = 0; count < 3; count += 1) {
    call('large');
    await turn();
  }
  for (let count = 0; count < 40; count += 1) {
    input.write(`{"pad":"${'x'.repeat(100_000)}"}\n`);
    await turn();
  }
  expect(input.isPaused()).toBe(true);
  expect(memory.usedBytes).toBeGreaterThan(2_200_000);
  expect(memory.usedBytes).toBeLessThan(2_600_000);
  for (let count = 0; count < 80; count += 1) {
    output.take();
    await turn();
  }
  expect([input.isPaused(), memory.usedBytes]).toEqual([false, 0]);
});

test('a handler does not wait for a client that does not read when its connection is closed', async () => {
  const { clock, calls, running, call, memory } = start();
  call('large');
  call('report');
  await turns();
  expect(calls.waiting).toBe(1);
  const closing = running.close();
  for (const ms of [DRAIN_MS, 200, 200]) {
    clock.advance(ms);
    await turns();
  }
  await closing;
  expect([calls.waiting, memory.usedBytes]).toEqual([0, 0]);
});

test('a connection ends when its output is closed', async () => {
  const { clock, calls, output, call, isClosed } = start();
  call('large');
  call('report');
  await turns();
  output.destroy();
  await turns();
  clock.advance(200);
  await turns();
  expect([calls.waiting, isClosed()]).toEqual([0, true]);
});
