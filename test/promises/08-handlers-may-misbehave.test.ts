import { expect } from 'vitest';
import { postModern, RawSession } from '../support/raw-http.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { modernMessage } from './support/mcp-requests.ts';
import { isLong, promise } from './support/promise.ts';
import { readMessages, StdioPeer } from './support/stdio-peer.ts';
import { until } from '../support/until.ts';

const APP = 'faulty-http.mjs';
const DEADLINE_MS = 300;

interface Called {
  readonly name: string;
  readonly text: string;
  readonly ms: number;
}

/** With a defence turned off, wait less than on a busy machine. */
function patienceFor(without: readonly Weakness[]): number {
  return without.length > 0 ? 5 * DEADLINE_MS : 20_000;
}

async function callEach(
  { server, patienceMs }: { readonly server: ChildServer; readonly patienceMs: number },
  names: readonly string[],
  call: (name: string) => Promise<string>,
): Promise<Called[]> {
  const called: Called[] = [];
  for (const name of names) {
    const begun = performance.now();
    const text = await Promise.race([
      call(name),
      server.ended.then(() => 'the process ended'),
      noAnswerWithin(patienceMs),
    ]);
    called.push({ name, text, ms: performance.now() - begun });
  }
  return called;
}

function noAnswerWithin(ms: number): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, 'no answer').unref();
  });
}

async function everyFaultIsAnswered(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen(APP, { without, env: { BUSY_MS: isLong ? '2000' : '200' } });
  const asked = server.hear<{ names: string[] }>('names');
  server.process.send('names');
  const { names } = await asked;
  expect(names.length, 'the number of faulty tools').toBe(20);

  const patienceMs = patienceFor(without);
  const modern = await callEach({ server, patienceMs }, names, async (name) =>
    JSON.stringify(await postModern(server.url, { method: 'tools/call', params: { name, arguments: {} } })),
  );
  expect(server.isAlive, 'the process, after calls of 2026-07-28').toBe(true);
  const session = await RawSession.open(server.url);
  const legacy = await callEach({ server, patienceMs }, names, async (name) => {
    const params = { name, arguments: {} };
    return (await session.post({ id: name, method: 'tools/call', params })).text();
  });
  expect(server.isAlive, 'the process, after calls of 2025-11-25').toBe(true);

  const all = [...modern, ...legacy];
  const answered = all.filter(({ text }) => /"(?:result|error)":\{/.test(text));
  expect(answered.length, 'calls that were answered').toBe(40);
  const leaking = all.filter(({ text }) => /\/home\/|\.ts:\d|node:internal| at \S+ \(/.test(text));
  expect(leaking, 'answers with a path or a stack').toEqual([]);
  if (isLong) {
    const late = all.filter(({ name, ms }) => ms > (name === 'is_busy' ? 2000 : DEADLINE_MS) + 500);
    expect(late, 'answers later than the deadline and 500 ms').toEqual([]);
  }
  const fine = await postModern(server.url, {
    method: 'tools/call',
    params: { name: 'fine', arguments: {} },
  });
  expect(fine.result?.['content'], 'the next call').toEqual([{ type: 'text', text: 'fine' }]);
  expect(server.stderr, 'the log').toContain('unhandled rejection');
  expect(server.stderr, 'the log').toContain('"lastCalled":"rejects_later"');
}

async function exitsWhenToldTo(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen(APP, { without, env: { ON_STRAY_ERROR: 'exit' } });
  // The call with the stray error gets its response first.
  const answer = await postModern(server.url, {
    method: 'tools/call',
    params: { name: 'rejects_later', arguments: {} },
  });
  expect(answer.result?.['content'], 'the answer before the end').toEqual([{ type: 'text', text: 'gone' }]);
  expect((await server.ended).code, 'the exit code').toBe(1);
}

async function drainsAfterAnException(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen(APP, { without });
  const params = { name: 'never_settles', arguments: {} };
  const answering = postModern(server.url, { method: 'tools/call', params }).catch(() => 'no answer');
  await postModern(server.url, { method: 'tools/call', params: { name: 'fine', arguments: {} } });
  server.process.send('throw-later');
  expect(JSON.stringify(await answering), 'a call under way').toContain('TIMED_OUT');
  expect((await server.ended).code, 'the exit code').toBe(1);
}

const LARGE = 'large-http.mjs';
const LARGE_CHECK = 'values that are without end when they are written are given up at once';
const LISTENER_CHECK = 'what a listener of a signal throws is logged, and the server goes on';

/** The names of the tools of {@link LARGE}: of those with large values, and of those whose listeners fail. */
async function namesOf(
  server: ChildServer,
): Promise<{ readonly faults: string[]; readonly listeners: string[] }> {
  const asked = server.hear<{ faults: string[]; listeners: string[] }>('faults');
  server.process.send('names');
  return asked;
}

/** CPU time of the process in milliseconds, so that other processes on the machine do not count. */
async function spentBy(server: ChildServer): Promise<number> {
  const asked = server.hear<{ spentMs: number }>('spentMs');
  server.process.send('spent');
  return (await asked).spentMs;
}

async function largeValuesAreGivenUp(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen(LARGE, { without });
  const { faults } = await namesOf(server);
  expect(faults.length, 'the number of large values').toBe(25);
  const { peakBytes: before } = await server.usage();
  for (const name of faults) {
    const spent = await spentBy(server);
    const params = { name, arguments: {} };
    const { result } = await postModern(server.url, { method: 'tools/call', params });
    expect((await spentBy(server)) - spent, `${name}: ms of a call`).toBeLessThanOrEqual(600);
    const text = JSON.stringify(result);
    expect(text, `${name}: the answer`).toMatch(/RESULT_TOO_LARGE|INVALID_OUTPUT|TOOL_FAILED|"logged"/);
    expect(text.length, `${name}: the length of the answer`).toBeLessThan(2000);
  }
  const { peakBytes } = await server.usage();
  expect((peakBytes - before) / 1e6, 'MB that all of them needed').toBeLessThan(400);
}

async function failingListenersAreSurvived(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen(LARGE, { without });
  const { listeners } = await namesOf(server);
  const call = async (name: string): Promise<string> =>
    JSON.stringify(await postModern(server.url, { method: 'tools/call', params: { name, arguments: {} } }));
  await expectSurvived(
    server,
    listeners,
    await callEach({ server, patienceMs: patienceFor(without) }, listeners, call),
  );

  const peer = await StdioPeer.start(LARGE, { without, args: ['stdio'] });
  for (const [id, name] of listeners.entries())
    await peer.write(`${modernMessage({ method: 'tools/call', params: { name, arguments: {} }, id })}\n`);
  await peer.untilLines(listeners.length);
  const texts = readMessages(peer.output).messages.map((message) => JSON.stringify(message));
  await expectSurvived(
    peer.server,
    listeners,
    texts.map((text) => ({ name: 'stdio', text, ms: 0 })),
  );
}

async function expectSurvived(
  server: ChildServer,
  listeners: readonly string[],
  called: readonly Called[],
): Promise<void> {
  const answered = called.filter(({ text }) => text.includes('TIMED_OUT'));
  expect(answered.length, 'calls with failing listeners that were answered').toBe(4);
  const said = await until(
    () => server.stderr.split('"careless"').length - 1,
    (count) => count === listeners.length || !server.isAlive,
  );
  expect(said, 'what the listeners threw, in the log').toBe(4);
  expect(server.stderr, 'the log').not.toContain('the process ends');
  expect(server.isAlive, 'the process, after its listeners failed').toBe(true);
}

promise('handlers may misbehave freely', {
  checks: {
    'twenty faults, two eras, all get a response, and the server continues': everyFaultIsAnswered,
    'an unhandled rejection may end the process, after all requests have a response': exitsWhenToldTo,
    'an exception that nobody catches ends the process, after what was read is answered':
      drainsAfterAnException,
    [LARGE_CHECK]: largeValuesAreGivenUp,
    [LISTENER_CHECK]: failingListenersAreSurvived,
  },
  switches: [
    {
      defence: 'the policy for unhandled rejections',
      off: [{ module: 'transport/stray-errors.js', defence: 'stray-errors', by: 'return () => {};' }],
      red: /the process, after calls of 2026-07-28|calls that were answered|fetch failed/,
    },
    {
      defence: 'the deadline of a call',
      off: [{ module: 'pipeline/within-deadline.js', defence: 'deadline-of-a-call' }],
      red: /calls that were answered/,
    },
    {
      defence: 'the drain after an exception',
      check: 'an exception that nobody catches ends the process, after what was read is answered',
      off: [
        {
          module: 'transport/stray-errors.js',
          defence: 'drain-after-an-exception',
          by: 'process.reallyExit(1);',
        },
      ],
      red: /a call under way/,
    },
    {
      defence: 'the count of serialized bytes',
      check: LARGE_CHECK,
      off: [{ module: 'base/json/find-json-refusal.js', defence: 'count-of-what-is-written' }],
      red: /dates: ms of a call/,
    },
    {
      defence: 'the check of values before validation',
      check: LARGE_CHECK,
      off: [{ module: 'format/find-unbounded.js', defence: 'look-at-unbounded-values' }],
      red: /checked_(?:sparse|bytes): ms of a call/,
    },
    {
      defence: 'the guard of signal listeners',
      check: LISTENER_CHECK,
      off: [{ module: 'middleware/parts/guarded-controller.js', defence: 'guarded-signals' }],
      red: /calls with failing listeners|the log|after its listeners failed|fetch failed|crashed/,
    },
    {
      defence: 'the guard of dependent signals',
      check: LISTENER_CHECK,
      off: [
        {
          module: 'middleware/parts/guarded-controller.js',
          defence: 'guarded-followers',
          by: 'return false;',
        },
      ],
      red: /calls with failing listeners|the log|after its listeners failed|fetch failed|crashed/,
    },
  ],
});
