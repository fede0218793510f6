/**
 * Two records of calls, with real authentication. `onCallEnd`: one record of every call, however it ends, also if it is rejected before
 * anything runs. The middleware `audit`: one record of every call that reaches middleware, and one before anything is changed. Requests
 * that are not authenticated are not calls.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ChildServer } from './support/child-server.ts';
import { createCredentials, tokenId } from './support/credentials.ts';
import type { Weakness } from './support/weaken.ts';
import { HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { until } from './support/patience.ts';
import { promise } from './support/promise.ts';
import { TokenClient } from './support/token-client.ts';

const USERS = 20;
const FLOODER = USERS;
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

/** A record of `onCallEnd`. */
interface CallRecord {
  readonly at: number;
  readonly kind: string;
  readonly name: string;
  readonly principal?: string;
  readonly traceparent?: string;
  readonly outcome: string;
  readonly code?: string;
  readonly durationMs: number;
}

/** A kind of call. */
interface Kind {
  /** Number of such calls of a thousand. */
  readonly times: number;
  /** The end in the audit trail; undefined if such calls do not reach middleware. */
  readonly end?: { readonly outcome: string; readonly code?: string };
  /** The code in the record of `onCallEnd`; undefined if the call succeeds. */
  readonly code?: string;
  /** Default: the name of the kind. */
  readonly tool?: string;
  readonly args?: object;
}

const KINDS: Readonly<Record<string, Kind>> = {
  read: { times: 150, end: { outcome: 'ok' } },
  write: { times: 150, end: { outcome: 'ok' } },
  refuses: { times: 80, end: { outcome: 'error', code: 'TOOL_ERROR' }, code: 'TOOL_ERROR' },
  fails: { times: 80, end: { outcome: 'thrown', code: 'TOOL_ERROR' }, code: 'TOOL_ERROR' },
  throws: { times: 80, end: { outcome: 'thrown', code: 'TOOL_FAILED' }, code: 'TOOL_FAILED' },
  hangs: { times: 60, end: { outcome: 'cancelled', code: 'TIMED_OUT' }, code: 'TIMED_OUT' },
  waits: { times: 100, end: { outcome: 'cancelled', code: 'CANCELLED' }, code: 'CANCELLED' },
  denied: { times: 60, end: { outcome: 'error', code: 'TOOL_ERROR' }, code: 'TOOL_ERROR' },
  limited: { times: 40, end: { outcome: 'thrown', code: 'RATE_LIMITED' }, code: 'RATE_LIMITED' },
  hidden: { times: 50, code: 'UNKNOWN_TOOL' },
  challenged: { times: 50, code: 'INSUFFICIENT_SCOPE' },
  unknown: { times: 25, code: 'UNKNOWN_TOOL' },
  invalid: { times: 50, code: 'INVALID_ARGUMENTS', tool: 'write', args: { key: 7 } },
  flood: { times: 25, code: 'RATE_LIMITED', tool: 'read' },
};

/** Calls of a caller that the server allows. */
const LIMIT = 100;

interface Call {
  readonly kind: string;
  readonly tool: string;
  readonly user: number;
  readonly key: string;
  readonly traceparent: string;
}

/** The calls, ordered so that each tool is called by many users. */
const CALLS: readonly Call[] = Object.entries(KINDS)
  .flatMap(([kind, { times }]) => Array.from({ length: times }, () => kind))
  .map((kind, index) => toCall(kind, index));

function toCall(kind: string, index: number): Call {
  const key = index.toString(16).padStart(16, '0');
  const user = kind === 'flood' ? FLOODER : index % USERS;
  const traceparent = `00-${key}${key}-${key.slice(0, 15)}1-01`;
  return { kind, tool: KINDS[kind]?.tool ?? kind, user, key, traceparent };
}

/** The users have a JSON Web Token or an API key in turn; the last one is the flooder. */
const ids = Array.from({ length: USERS + 1 }, (_, index) => `user-${index}`);
const credentials = await createCredentials(ids.map((id) => ({ id })));
const jsonWebTokens = await Promise.all(ids.map((sub) => credentials.tokenFor({ sub })));
const tokens = ids.map((_, index) => (index % 2 === 0 ? jsonWebTokens : credentials.keys)[index] ?? '');

function principalOf({ user }: Call): string {
  return user % 2 === 0 ? tokenId(`user-${user}`) : `user-${user}`;
}

interface Running {
  readonly server: ChildServer;
  readonly http: HttpCaller;
  readonly trail: () => AuditRecord[];
  readonly records: () => CallRecord[];
  /** The keys of the calls whose handlers ran. */
  readonly done: () => string[];
}

async function start(
  without: readonly Weakness[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'audited-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = {
    TRAIL: join(folder, 'trail'),
    RECORDS: join(folder, 'records'),
    DONE: join(folder, 'done'),
  };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const server = await ChildServer.listen('audited-http.mjs', {
    without,
    env: { ...credentials.env, ...files, ...env },
  });
  return {
    server,
    http: new HttpCaller(server.port, 64),
    trail: () => linesOf(files.TRAIL).map((line) => JSON.parse(line) as AuditRecord),
    records: () => linesOf(files.RECORDS).map((line) => JSON.parse(line) as CallRecord),
    done: () => linesOf(files.DONE),
  };
}

function send(http: HttpCaller, { kind, tool, user, key, traceparent }: Call): Promise<Ended> {
  const client = new TokenClient(http, tokens[user] ?? '');
  const args = { key, password: PASSWORD, ...KINDS[kind]?.args };
  return client.call(tool, args, { meta: { traceparent } });
}

/** Sends the thousand calls, and those that make the limits apply. Returns the number of the latter. */
async function sendAll({ server, http }: Running): Promise<number> {
  // The first call of each user is within the limit of the tool, and these of the flooder within that of the server.
  for (let index = 0; index < USERS; index += 1) await send(http, toCall('limited', 10_000 + index));
  const flooded = Array.from({ length: LIMIT }, (_, index) => toCall('flood', 20_000 + index));
  await Promise.all(flooded.map((call) => send(http, call)));
  const waiting = new HttpCaller(server.port);
  const [began, ended] = [new Set<string>(), new Set<string>()];
  server.process.on('message', (message: { began?: string; ended?: string }) => {
    if (message.began !== undefined) began.add(message.began);
    if (message.ended !== undefined) ended.add(message.ended);
  });
  const [waits, others] = [
    CALLS.filter(({ kind }) => kind === 'waits'),
    CALLS.filter(({ kind }) => kind !== 'waits'),
  ];
  const cut = waits.map((call) => send(waiting, call));
  await Promise.all(others.map((call) => send(http, call)));
  await until(() => began.size === waits.length, 20_000, 'calls that wait');
  waiting.close();
  await Promise.all(cut);
  // A second record of a cancelled call would be written when its handler ends.
  await until(() => ended.size === waits.length, 20_000, 'cancelled handlers that end');
  return USERS + LIMIT;
}

const isEnd = ({ phase }: AuditRecord): boolean => phase === 'end';

async function expectRecords(without: readonly Weakness[]): Promise<void> {
  const startedAt = Date.now();
  const running = await start(without);
  const { http, trail, records, done } = running;
  // Neither is a call.
  for (const token of ['', 'anything'])
    expect((await new TokenClient(http, token).call('write', { key: 'x' })).status).toBe(401);
  const others = await sendAll(running);
  const reaching = CALLS.filter(({ kind }) => KINDS[kind]?.end !== undefined);
  const isComplete = (): boolean =>
    trail().filter(isEnd).length >= reaching.length + others && records().length >= CALLS.length + others;
  const patienceMs = without.length > 0 ? 2000 : 20_000;
  await until(isComplete, patienceMs, 'records of ends').catch(() => {});
  expectTrail(trail(), others, startedAt);
  expectOneOfEach(records(), others, startedAt);
  const written = JSON.stringify([trail(), records()]);
  for (const secret of [PASSWORD, ...tokens]) expect(written, 'the records').not.toContain(secret);
  const stopped = ['denied', 'limited'].reduce((sum, kind) => sum + (KINDS[kind]?.times ?? 0), 0);
  expect(done().length, 'handlers that ran').toBe(reaching.length - stopped + others);
  http.close();
}

/** Of the calls that reach middleware, and of no others. */
function expectTrail(trail: readonly AuditRecord[], others: number, startedAt: number): void {
  const found = CALLS.map(({ kind, traceparent }) => {
    const own = trail.filter((record) => record.traceparent === traceparent);
    return `${kind}: ${own.map((record) => record.phase).join(', ')}`;
  });
  const expected = CALLS.map(({ kind }) => {
    if (KINDS[kind]?.end === undefined) return `${kind}: `;
    return `${kind}: ${kind === 'read' ? 'end' : 'intent, end'}`;
  });
  expect(found, 'records of each call').toEqual(expected);
  const reaching = CALLS.filter(({ kind }) => KINDS[kind]?.end !== undefined);
  expect(trail.filter(isEnd).length, 'records of ends').toBe(reaching.length + others);
  const ends = new Map(trail.filter(isEnd).map((record) => [record.traceparent, record]));
  for (const call of reaching) {
    const { at, durationMs = Number.NaN, ...end } = ends.get(call.traceparent) as AuditRecord;
    const { kind, tool, traceparent } = call;
    const principal = principalOf(call);
    const expectedEnd = { phase: 'end', name: tool, tool, principal, traceparent, ...KINDS[kind]?.end };
    expect(end, 'a record').toEqual(expectedEnd);
    expectTimes({ at, durationMs }, kind, startedAt);
  }
}

/** A record of each call, also of those that never reach middleware. */
function expectOneOfEach(records: readonly CallRecord[], others: number, startedAt: number): void {
  expect(records.length, 'records of all calls').toBe(CALLS.length + others);
  const found = new Map(records.map((record) => [record.traceparent, record]));
  for (const call of CALLS) {
    const { kind, tool, traceparent } = call;
    const { at = Number.NaN, durationMs = Number.NaN, ...record } = found.get(traceparent) ?? {};
    const { code } = KINDS[kind] as Kind;
    const end = code === undefined ? { outcome: 'ok' } : { outcome: 'error', code };
    expect(record, 'a record of onCallEnd').toEqual({
      kind: 'tool',
      name: tool,
      principal: principalOf(call),
      traceparent,
      ...end,
    });
    expectTimes({ at, durationMs }, kind, startedAt);
  }
}

function expectTimes(
  { at, durationMs }: { readonly at: number; readonly durationMs: number },
  kind: string,
  startedAt: number,
): void {
  expect(at, 'when a call came').toBeGreaterThanOrEqual(startedAt);
  // The timeout of the tool that hangs is 100 ms; timers may be early by one.
  expect(durationMs, 'how long a call took').toBeGreaterThanOrEqual(kind === 'hangs' ? 99 : 0);
  expect(at + durationMs, 'when it ended').toBeLessThanOrEqual(Date.now());
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

promise('every call is on record', {
  checks: {
    'a thousand calls, rejected or run, have a thousand records': expectRecords,
    [INTENTS]: expectIntentsFirst,
    [UNWRITABLE]: expectNothingUnrecorded,
  },
  switches: [
    {
      defence: 'a record of every call, also of rejected ones',
      off: [{ module: 'pipeline/handle-call.js', defence: 'record-of-every-call' }],
      red: /records of all calls/,
    },
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
