import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { textOf } from '../protocol/support/rpc.ts';
import type { RpcMessage } from '../protocol/support/rpc.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { patienceFor, until, within } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';
import { StdioCaller } from './support/stdio-caller.ts';

const CALLS = 20;
/** `drainMs` of the app: time for responses after the end of the input. */
const GRACE_MS = 600;
/** The same for calls that end by themselves, so that it never passes; the rest is for a busy machine. */
const LONG_GRACE_MS = isLong ? GRACE_MS : 10_000;
/** Additional time for the process to end; measured in the long form only. */
const LATE_MS = 1000;
/** Long enough for a busy machine. With a defence turned off, nothing may arrive. */
const PATIENCE_MS = 15_000;
const WEAK_PATIENCE_MS = 2500;

/** Work of the calls: a timer that can be stopped, one that cannot, a child process. */
const TOOLS = ['wait', 'stubborn', 'program', 'wait'] as const;

/** Running calls; default: twenty. */
interface Busy {
  readonly child: ChildServer;
  readonly client: StdioCaller;
  readonly ids: readonly (number | string)[];
  readonly patienceMs: number;
  /** Process ids of the programs that tools have started. */
  readonly pids: readonly number[];
}

interface Begun {
  readonly calls?: number;
  readonly lingerMs?: number;
  readonly graceMs?: number;
  /** The defence without which the process does not end. */
  readonly ends?: string;
}

/** Calls of this duration, half of them of each era, all running. */
async function begin(
  without: readonly Weakness[],
  ms: number,
  { calls = CALLS, lingerMs = 0, graceMs = GRACE_MS, ends = '' }: Begun = {},
): Promise<Busy> {
  const env = { DRAIN_MS: String(graceMs), LINGER_MS: String(lingerMs) };
  const child = await ChildServer.start('slow-stdio.mjs', { without, env });
  const client = new StdioCaller(child);
  let begun = 0;
  child.process.on('message', (message: { begun?: number }) => {
    begun = message.begun ?? begun;
  });
  client.begin();
  const ids = Array.from({ length: calls }, (_, index) =>
    client.call(TOOLS[index % TOOLS.length] ?? 'wait', { ms }, index % 2 === 0 ? 'modern' : 'legacy'),
  );
  await until(() => begun === calls, PATIENCE_MS, `${calls} calls begin; ${child.stderr}`);
  const heard = child.hear<{ pids: number[] }>('pids');
  child.process.send('pids');
  const { pids } = await heard;
  const patienceMs = patienceFor(without, [ends], { ms: PATIENCE_MS, weakMs: WEAK_PATIENCE_MS });
  return { child, client, ids, patienceMs, pids };
}

/** The process ends by itself with code 0, and ends its child processes. */
async function expectEnd({ child, patienceMs, pids }: Busy): Promise<void> {
  const since = performance.now();
  const { code, signal } = await within(child.ended, patienceMs, 'the process does not end by itself');
  expect(`${code} ${signal}`, `how the process ended; ${child.stderr}`).toBe('0 null');
  expect(child.stderr, 'what the process complained of').toBe('');
  if (isLong)
    expect(performance.now() - since, 'how long the process takes to end').toBeLessThan(GRACE_MS + LATE_MS);
  await until(
    () => !pids.some(isRunning),
    patienceMs,
    'the programs that tools have started are left behind',
  );
}

/** Whether a process still runs; a zombie does not. */
function isRunning(pid: number): boolean {
  try {
    const [, state = ''] = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

function count({ client, ids }: Busy, fits: (answer: RpcMessage) => boolean): number {
  const { answers } = client;
  return ids.filter((id) => {
    const answer = answers.get(id);
    return answer !== undefined && fits(answer);
  }).length;
}

const isDone = (answer: RpcMessage): boolean => answer.result !== undefined && textOf(answer) === 'done';
const isGivenUp = ({ error }: RpcMessage): boolean => error?.code === -32603;

/** A way to end a server. */
type Ending = (busy: Busy) => void;

const END_OF_INPUT: Ending = ({ client }) => client.end();
const SIGTERM: Ending = ({ child }) => void child.process.kill('SIGTERM');

/** All ways to end; one is enough to see a check fail. */
function endings(without: readonly Weakness[]): readonly Ending[] {
  return without.length > 0 ? [END_OF_INPUT] : [END_OF_INPUT, SIGTERM];
}

async function expectResults(without: readonly Weakness[], end: Ending): Promise<void> {
  const busy = await begin(without, 300, { graceMs: LONG_GRACE_MS });
  end(busy);
  await expectEnd(busy);
  expect(count(busy, isDone), 'calls that are answered with their result').toBe(CALLS);
}

async function expectCancelled(without: readonly Weakness[], end: Ending): Promise<void> {
  const busy = await begin(without, 60_000, { ends: 'time-for-answers' });
  const told = hearStopped(busy);
  end(busy);
  await expectEnd(busy);
  expect(count(busy, isGivenUp), 'calls that are answered with why they were given up').toBe(CALLS);
  expect(await told, 'calls that were told to stop').toBe(CALLS);
}

/** More than fits into a pipe: the rest waits until the beginning is read. These responses come last. */
async function expectLargeResults(without: readonly Weakness[], end: Ending): Promise<void> {
  const busy = await begin(without, 300, { graceMs: LONG_GRACE_MS });
  const { client } = busy;
  const ids = (['modern', 'legacy'] as const).map((era) => client.call('large', { ms: 350 }, era));
  end(busy);
  await expectEnd(busy);
  const { answers } = client;
  const lengths = ids.map((id) => textOf(answers.get(id) ?? {})?.length);
  expect(lengths, 'characters of large answers that arrived').toEqual([1_000_000, 1_000_000]);
}

/** Number of calls that the server cancelled, reported at its end. */
async function hearStopped({ child }: Busy): Promise<number> {
  const heard = child.hear<{ stopped: number }>('stopped');
  return heard.then(
    ({ stopped }) => stopped,
    () => 0,
  );
}

/** The client does not read any more: the first response detects it. */
async function expectCancelledUnread(without: readonly Weakness[]): Promise<void> {
  const busy = await begin(without, 60_000, { ends: 'broken-output' });
  const told = hearStopped(busy);
  busy.client.stopReading();
  busy.client.call('wait', { ms: 1 }, 'modern');
  await expectEnd(busy);
  expect(await told, 'calls that were told to stop when nobody read').toBe(CALLS);
}

/** The client neither reads nor writes any more; the server has to end. */
async function expectEndUnread(): Promise<void> {
  const busy = await begin([], 300);
  busy.client.stopReading();
  busy.client.end();
  await expectEnd(busy);
}

/** The server is closed while the client does not read: the failure of the only response is detected at the very end. */
async function expectEndUnreadAtLast(without: readonly Weakness[]): Promise<void> {
  const busy = await begin(without, 300, { calls: 1, lingerMs: 50 });
  busy.child.process.kill('SIGTERM');
  busy.client.stopReading();
  await expectEnd(busy);
}

/** The client keeps the output open and does not read: responses are blocked, the process is not. */
async function expectEndStuck(): Promise<void> {
  const busy = await begin([], 300);
  busy.client.pause();
  busy.client.call('large', { ms: 1 }, 'modern');
  busy.client.call('large', { ms: 1 }, 'legacy');
  busy.child.process.kill('SIGTERM');
  await expectEnd(busy);
}

/** The same for a client that sends more requests than it reads responses, and then ends its input. */
async function expectEndBehindLines(without: readonly Weakness[]): Promise<void> {
  const busy = await begin(without, 300, { calls: 2, ends: 'bytes-kept-unread' });
  const { child, client } = busy;
  let begun = 2;
  child.process.on('message', (message: { begun?: number }) => {
    begun = message.begun ?? begun;
  });
  client.pause();
  let sent = 2;
  // Until no more calls are started.
  for (let isRead = true; isRead && sent < 50;) {
    client.call('large', { ms: 1 }, 'modern');
    sent += 1;
    isRead = await until(() => begun === sent, 1000, 'a call begins').then(
      () => true,
      () => false,
    );
  }
  expect(begun, 'calls that were begun though nothing was read').toBeLessThan(50);
  client.call('large', { ms: 1 }, 'modern');
  client.end();
  await expectEnd(busy);
}

promise('A server on standard input and output ends in time', {
  checks: {
    'calls that end are answered when the input ends, and on SIGTERM': async (without) => {
      await Promise.all(endings(without).map((end) => expectResults(without, end)));
    },
    'large answers arrive whole when the input ends': async (without) => {
      await expectLargeResults(without, END_OF_INPUT);
    },
    'calls that do not end are cancelled when the input ends, and on SIGTERM': async (without) => {
      await Promise.all(endings(without).map((end) => expectCancelled(without, end)));
    },
    'calls are cancelled when the output is closed': expectCancelledUnread,
    'the process ends though its output goes nowhere': async () => {
      await Promise.all([expectEndUnread(), expectEndStuck()]);
    },
    'the process ends although lines wait behind unread output': expectEndBehindLines,
    'the process continues although its last response was not delivered': expectEndUnreadAtLast,
  },
  switches: [
    {
      defence: 'the time for responses',
      off: [{ module: 'transport/stdio/serve-stdio.js', defence: 'time-for-answers' }],
      check: 'calls that end are answered when the input ends, and on SIGTERM',
      red: /calls that are answered with their result/,
    },
    {
      defence: 'responses to cancelled calls',
      off: [{ module: 'transport/stdio/serve-stdio.js', defence: 'answers-to-what-is-given-up' }],
      check: 'calls that do not end are cancelled when the input ends, and on SIGTERM',
      red: /calls that are answered with why they were given up/,
    },
    {
      defence: 'everything written before the end',
      off: [{ module: 'transport/stdio/serve-stdio.js', defence: 'everything-written' }],
      check: 'large answers arrive whole when the input ends',
      red: /characters of large answers that arrived/,
    },
    {
      defence: 'the maximum wait',
      off: [
        {
          module: 'transport/stdio/serve-stdio.js',
          defence: 'time-for-answers',
          by: 'await new Promise((resolve) => setTimeout(resolve, 2_000_000_000));',
        },
      ],
      check: 'calls that do not end are cancelled when the input ends, and on SIGTERM',
      red: /the process does not end by itself/,
    },
    {
      defence: 'reading on while the output is not read',
      off: [{ module: 'transport/stdio/unread-output.js', defence: 'bytes-kept-unread', by: '0' }],
      check: 'the process ends although lines wait behind unread output',
      red: /the process does not end by itself/,
    },
    {
      defence: 'the error listener of the last write',
      off: [
        {
          module: 'transport/stdio/protect-stdout.js',
          defence: 'last-write',
          by: '{ const setImmediate = (now) => now(); $& }',
        },
      ],
      check: 'the process continues although its last response was not delivered',
      red: /how the process ended/,
    },
    {
      defence: 'the watch of the output',
      off: [{ module: 'transport/stdio/serve-stdio.js', defence: 'broken-output', by: '() => {}' }],
      check: 'calls are cancelled when the output is closed',
      red: /the process does not end by itself/,
    },
  ],
});
