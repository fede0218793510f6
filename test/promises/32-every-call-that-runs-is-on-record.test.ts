/**
 * The audit trail of the middleware `audit`: one record for every call that reaches middleware, and one before anything is changed. Calls
 * that are rejected earlier run nothing and are not in it: without authentication, with an unknown or hidden name, or with invalid
 * arguments.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { HttpCaller } from './support/http-caller.ts';
import { until } from './support/patience.ts';
import { promise } from './support/promise.ts';
import { TokenClient } from './support/token-client.ts';

const USERS = 20;
const PASSWORD = 'canary-password';

/** A record of the audit trail. */
interface AuditRecord {
  readonly phase: 'intent' | 'end';
  readonly at: number;
  readonly name: string;
  readonly tool: string;
  readonly principal?: string;
  readonly traceparent?: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly durationMs?: number;
}

/** Outcome of the calls of each tool, and their number of a thousand. */
const TOOLS: Readonly<Record<string, { readonly times: number; readonly end: object }>> = {
  read: { times: 200, end: { outcome: 'ok' } },
  write: { times: 200, end: { outcome: 'ok' } },
  refuses: { times: 100, end: { outcome: 'error', code: 'TOOL_ERROR' } },
  fails: { times: 100, end: { outcome: 'thrown', code: 'TOOL_ERROR' } },
  throws: { times: 100, end: { outcome: 'thrown', code: 'TOOL_FAILED' } },
  hangs: { times: 60, end: { outcome: 'cancelled', code: 'TIMED_OUT' } },
  waits: { times: 100, end: { outcome: 'cancelled', code: 'CANCELLED' } },
  denied: { times: 100, end: { outcome: 'error', code: 'TOOL_ERROR' } },
  limited: { times: 40, end: { outcome: 'thrown', code: 'RATE_LIMITED' } },
};

interface Call {
  readonly tool: string;
  readonly user: string;
  readonly key: string;
  readonly traceparent: string;
}

/** The calls, ordered so that each tool is called by many users. */
const CALLS: readonly Call[] = Object.entries(TOOLS)
  .flatMap(([tool, { times }]) => Array.from({ length: times }, () => tool))
  .map((tool, index) => toCall(tool, index));

function toCall(tool: string, index: number): Call {
  const key = index.toString(16).padStart(16, '0');
  return { tool, key, user: `user-${index % USERS}`, traceparent: `00-${key}${key}-${key.slice(0, 15)}1-01` };
}

interface Running {
  readonly server: ChildServer;
  readonly http: HttpCaller;
  readonly trail: () => AuditRecord[];
  /** The keys of the calls whose handlers ran. */
  readonly done: () => string[];
}

async function start(
  without: readonly Weakness[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'audited-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { TRAIL: join(folder, 'trail'), DONE: join(folder, 'done') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const server = await ChildServer.listen('audited-http.mjs', { without, env: { ...files, ...env } });
  return {
    server,
    http: new HttpCaller(server.port, 64),
    trail: () => linesOf(files.TRAIL).map((line) => JSON.parse(line) as AuditRecord),
    done: () => linesOf(files.DONE),
  };
}

function send(http: HttpCaller, { tool, user, key, traceparent }: Call): Promise<unknown> {
  const client = new TokenClient(http, user);
  return client.call(tool, { key, password: PASSWORD }, { meta: { traceparent } });
}

async function expectRecords(without: readonly Weakness[]): Promise<void> {
  const startedAt = Date.now();
  const { server, http, trail, done } = await start(without);
  const ada = new TokenClient(http, 'ada');
  // None of these calls reaches middleware.
  await ada.call('unknown', { key: 'x' });
  await ada.call('write', { key: 7, password: PASSWORD });
  await new TokenClient(http, '').call('write', { key: 'x' });
  // The first call of each user is within the limit.
  for (let index = 0; index < USERS; index += 1) await send(http, toCall('limited', 10_000 + index));
  const waiting = new HttpCaller(server.port);
  const began = new Set<string>();
  server.process.on('message', (message: { began?: string }) => began.add(message.began ?? ''));
  const [waits, others] = [
    CALLS.filter(({ tool }) => tool === 'waits'),
    CALLS.filter(({ tool }) => tool !== 'waits'),
  ];
  const cut = waits.map((call) => send(waiting, call));
  await Promise.all(others.map((call) => send(http, call)));
  await until(() => began.size === waits.length, 20_000, 'calls that wait');
  waiting.close();
  await Promise.all(cut);
  const isEnd = ({ phase }: AuditRecord): boolean => phase === 'end';
  const count = (): number => trail().filter(isEnd).length;
  const patienceMs = without.length > 0 ? 500 : 3000;
  await until(() => count() >= CALLS.length + USERS, patienceMs, 'records of ends').catch(() => {});
  const records = trail();
  const found = CALLS.map(({ tool, traceparent }) => {
    const own = records.filter((record) => record.traceparent === traceparent);
    return `${tool}: ${own.map((record) => record.phase).join(', ')}`;
  });
  const expected = CALLS.map(({ tool }) => `${tool}: ${tool === 'read' ? 'end' : 'intent, end'}`);
  expect(found, 'records of each call').toEqual(expected);
  expect(records.filter(isEnd).length, 'records of ends').toBe(CALLS.length + USERS);
  const ends = new Map(records.filter(isEnd).map((record) => [record.traceparent, record]));
  for (const { tool, user, traceparent } of CALLS) {
    const { at, durationMs, ...end } = ends.get(traceparent) as AuditRecord;
    const expectedEnd = { phase: 'end', name: tool, tool, principal: user, traceparent, ...TOOLS[tool]?.end };
    expect(end, 'a record').toEqual(expectedEnd);
    expect(at, 'when a call came').toBeGreaterThanOrEqual(startedAt);
    // The timeout of the tool that hangs is 100 ms; timers may be early by one.
    expect(durationMs, 'how long a call took').toBeGreaterThanOrEqual(tool === 'hangs' ? 99 : 0);
    expect(at + (durationMs ?? Number.NaN), 'when it ended').toBeLessThanOrEqual(Date.now());
  }
  expect(JSON.stringify(records), 'the trail').not.toContain(PASSWORD);
  expect(done().length, 'handlers that ran').toBe(CALLS.length - 140 + USERS);
  http.close();
}

async function expectIntentsFirst(without: readonly Weakness[]): Promise<void> {
  const { server, http, trail, done } = await start(without);
  const calls = Array.from({ length: 200 }, (_, index) => toCall(index % 2 === 0 ? 'write' : 'waits', index));
  const open = new HttpCaller(server.port);
  const sent = Promise.all(calls.map((call) => send(open, call)));
  await until(() => done().length === calls.length, 20_000, 'calls that change something');
  // Half of them have no end record yet, and will get none.
  server.process.kill('SIGKILL');
  await server.ended;
  await sent;
  const intents = new Set(trail().map(({ phase, traceparent }) => `${phase} ${traceparent}`));
  const traceless = calls.filter(({ traceparent }) => !intents.has(`intent ${traceparent}`));
  expect(traceless, 'what was done without a trace').toEqual([]);
  http.close();
}

async function expectNothingUnrecorded(without: readonly Weakness[]): Promise<void> {
  const { http, done } = await start(without, { CANNOT_WRITE: '1' });
  for (const tool of ['write', 'fails', 'throws', 'denied', 'limited', 'hangs'])
    await send(http, toCall(tool, 1));
  expect(done(), 'what was done without a record').toEqual([]);
  // Reads change nothing.
  await send(http, toCall('read', 2));
  expect(done().length, 'reads').toBe(1);
  http.close();
}

const INTENTS = 'what is changed has left a trace before, even if the process is killed';
const UNWRITABLE = 'what cannot be recorded is not done';

promise('every call that runs is on record', {
  checks: {
    'a thousand calls, however they end, have a thousand records': expectRecords,
    [INTENTS]: expectIntentsFirst,
    [UNWRITABLE]: expectNothingUnrecorded,
  },
  switches: [
    {
      defence: 'a record of cancelled calls',
      off: [{ module: 'middleware/builtin/audit.js', defence: 'record-of-what-is-cancelled' }],
      red: /records of each call/,
    },
    {
      defence: 'one record for each call',
      off: [{ module: 'middleware/builtin/audit.js', defence: 'one-record-a-call' }],
      red: /records of each call/,
    },
    {
      defence: 'a record of failed calls',
      off: [{ module: 'middleware/builtin/audit.js', defence: 'record-of-what-throws' }],
      red: /records of each call/,
    },
    {
      defence: 'a record before the call',
      off: [{ module: 'middleware/builtin/audit.js', defence: 'record-before' }],
      check: INTENTS,
      red: /what was done without a trace/,
    },
    {
      defence: 'the rejection of calls that cannot be recorded',
      off: [{ module: 'middleware/builtin/audit.js', defence: 'refusal-without-a-record' }],
      check: UNWRITABLE,
      red: /what was done without a record/,
    },
  ],
});
