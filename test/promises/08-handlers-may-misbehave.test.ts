import { expect } from 'vitest';
import { postModern, RawSession } from '../support/raw-http.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/child-server.ts';
import { isLong, promise } from './support/promise.ts';

const APP = 'faulty-http.mjs';
const DEADLINE_MS = 300;

interface Called {
  readonly name: string;
  readonly text: string;
  readonly ms: number;
}

async function callEach(
  server: ChildServer,
  names: readonly string[],
  call: (name: string) => Promise<string>,
): Promise<Called[]> {
  const called: Called[] = [];
  for (const name of names) {
    const begun = performance.now();
    const text = await Promise.race([
      call(name),
      server.ended.then(() => 'the process ended'),
      noAnswerWithin(5000),
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

  const modern = await callEach(server, names, async (name) =>
    JSON.stringify(await postModern(server.url, { method: 'tools/call', params: { name, arguments: {} } })),
  );
  expect(server.isAlive, 'the process, after calls of 2026-07-28').toBe(true);
  const session = await RawSession.open(server.url);
  const legacy = await callEach(server, names, async (name) => {
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
  expect(server.stderr, 'the log').toContain('a promise was rejected that nobody waits for');
  expect(server.stderr, 'the log').toContain('"lastCalled":"rejects_later"');
}

async function exitsWhenToldTo(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen(APP, { without, env: { ON_STRAY_ERROR: 'exit' } });
  // The call that goes astray is answered first.
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

promise('handlers may misbehave freely', {
  checks: {
    'twenty faults, two eras, all answered, and the server goes on': everyFaultIsAnswered,
    'a stray rejection may end the process, after what was read is answered': exitsWhenToldTo,
    'an exception that nobody catches ends the process, after what was read is answered':
      drainsAfterAnException,
  },
  switches: [
    {
      defence: 'the policy for rejections that nobody waits for',
      off: [
        {
          module: 'transport/stray-errors.js',
          find: 'export function watchStrayErrors(watcher) {',
          replace: 'export function watchStrayErrors(watcher) { return () => {};',
        },
      ],
      red: /the process, after calls of 2026-07-28|calls that were answered|fetch failed/,
    },
    {
      defence: 'the deadline of a call',
      off: [
        {
          module: 'pipeline/within-deadline.js',
          find: '    #timeOut() {',
          replace: '    #timeOut() { return;',
        },
      ],
      red: /calls that were answered/,
    },
    {
      defence: 'the drain after an exception',
      check: 'an exception that nobody catches ends the process, after what was read is answered',
      off: [
        {
          module: 'transport/stray-errors.js',
          find: 'async function closeAndExit() {',
          replace: 'async function closeAndExit() { process.reallyExit(1);',
        },
      ],
      red: /a call under way/,
    },
  ],
});
