import type { Readable, Writable } from 'node:stream';
import { isObject } from '../../base/is-object.ts';
import { assertOptions, MAX_TIMER_MS, numberFrom, objectWith } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { JSON_RPC_INVALID_REQUEST, JSON_RPC_PARSE_ERROR } from '../../errors/codes.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { Principal } from '../../middleware/context.ts';
import { isPrincipal } from '../../pipeline/tool/read-principal.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import { toServed } from '../../server/to-served.ts';
import type { Servable } from '../../server/to-served.ts';
import type { Clock } from '../../base/time/clock.ts';
import { withinTime } from '../../base/time/within-time.ts';
import { DuplexConnection } from '../../wire/sessions/duplex-connection.ts';
import type { RpcError } from '../../wire/messages/json-rpc.ts';
import type { Served } from '../../wire/served/served.ts';
import { STRAY_ERROR_POLICY, watchStrayErrors } from '../stray-errors.ts';
import type { StrayErrorPolicy } from '../stray-errors.ts';
import { LineSplitter } from './line-splitter.ts';
import type { LineProblem } from './line-splitter.ts';
import { protectStdout } from './protect-stdout.ts';
import type { Outlet } from './protect-stdout.ts';
import { UnreadOutput } from './unread-output.ts';

/** Options of {@link serveStdio}. */
export interface ServeStdioOptions {
  /** Default: `process.stdin`. */
  readonly input?: Readable;
  /** Default: `process.stdout`, on which nothing but messages is written from then on. */
  readonly output?: Writable;
  /** The principal of the process that started this one, for example from its environment. Default: the caller is anonymous. */
  readonly principal?: Principal;
  /** Who is at the other end; whoever started the process. Default: nobody in particular. */
  readonly caller?: Caller;
  /** How long answers under way may take when the input ends, until somebody has read them. Default: 5 s. */
  readonly drainMs?: number;
  /** What happens when a handler lets a promise reject that nobody waits for: `log` it, or `exit` once everything is answered. Default: `log`. */
  readonly onStrayError?: StrayErrorPolicy;
}

/** A server that answers on standard output. */
export interface RunningStdio extends AsyncDisposable {
  /** Resolves when the input has ended and everything is answered or given up. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const OPTIONS: Rules<keyof ServeStdioOptions> = {
  input: objectWith('on'),
  output: objectWith('write', 'cork', 'uncork'),
  principal: [isPrincipal, 'an object with an id: { id: "ada", scopes: ["notes:read"] }'],
  caller: [isObject, 'an object'],
  drainMs: numberFrom(0, MAX_TIMER_MS),
  onStrayError: STRAY_ERROR_POLICY,
};

/**
 * Serves a server, or a registry as it is, over standard input and output. Ends by itself when the input ends.
 *
 * @example
 * serveStdio(server);
 */
export function serveStdio<TContext extends object>(
  server: Servable<TContext>,
  options: ServeStdioOptions = {},
): RunningStdio {
  assertOptions('serveStdio', options, OPTIONS);
  const caller = callerOf(options);
  const { input = process.stdin, drainMs = 5000, onStrayError = 'log' } = options;
  const protectedOutput = options.output === undefined ? protectStdout() : undefined;
  const output: Outlet = options.output ?? protectedOutput?.output ?? process.stdout;
  const served = toServed(server);
  const unread = new UnreadOutput({ input, output, memory: served.memory, lines: () => lines });
  const write = writerTo(output, unread);
  const connection = new DuplexConnection(served, {
    caller,
    send: (text) => write(`${text}\n`),
    hasRoomFor: (text) => unread.hasRoomFor(text),
  });
  const lines = linesFor(connection, served, { caller, isHeldUp: () => unread.isTooMuch });
  const onData = (chunk: Buffer | string): void => {
    lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    unread.onRead();
  };

  const { promise: closed, resolve: resolveClosed } = deferred();
  let closing: Promise<void> | undefined;
  const end = (isOurs: boolean, withinMs = drainMs): Promise<void> => {
    closing ??= (async () => {
      stopReading();
      input.pause();
      unread.stop();
      await drain(connection, output, { clock: served.clock, withinMs });
      unread.close();
      for (const event of GONE) output.off(event, onBroken);
      // Input that ended by itself: whoever reads the output may still do so, and what else is said is not for them.
      if (isOurs) protectedOutput?.restore();
      stopWatching();
      resolveClosed();
    })();
    return closing;
  };
  const close = (): Promise<void> => end(true);
  const stopReading = (): void =>
    void input.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd);
  const onDone = (): void => {
    lines.finish();
    void end(false);
  };
  const onEnd = (): void => {
    stopReading();
    // A client that reads nothing has had its time.
    const onStall = (): void => void end(false, 0);
    unread.finish({ clock: served.clock, stallMs: drainMs, onDone, onStall });
  };
  // Whoever read our output is gone: nothing that still runs has anybody to answer to.
  // defence: broken-output
  const onBroken = (): void => {
    connection.close('The output is gone.');
    void end(false);
  };
  const stopWatching = watchStrayErrors({ served, policy: onStrayError, close });
  for (const event of GONE) output.on(event, onBroken);
  input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd);
  return { closed, close, [Symbol.asyncDispose]: close };
}

function callerOf({ principal, caller = {} }: ServeStdioOptions): Caller {
  if (principal === undefined) return caller;
  if (caller.principal === undefined) return { ...caller, principal };
  throw new DefinitionError('serveStdio: use either principal or caller.principal, not both.', {
    option: 'principal',
  });
}

/** Hands what is read to a connection, line by line. */
function linesFor(
  connection: DuplexConnection,
  { limits: { maxMessageBytes } }: Served,
  { caller, isHeldUp }: { readonly caller: Caller; readonly isHeldUp: () => boolean },
): LineSplitter {
  return new LineSplitter(maxMessageBytes, {
    onText: (text, bytes) => connection.receive(text, caller, bytes),
    onProblem: (problem) => connection.refuse(toRefusal(problem, maxMessageBytes)),
    isHeldUp,
  });
}

/** The answer to what could not even be read. */
function toRefusal(problem: LineProblem, maxBytes: number): RpcError {
  if (problem === 'not-utf8')
    return { code: JSON_RPC_PARSE_ERROR, message: 'Parse error: the message is not UTF-8.' };
  return { code: JSON_RPC_INVALID_REQUEST, message: `The message is longer than ${maxBytes} bytes.` };
}

/** How long the last answers may take after everything was told to stop. */
const CUT_OFF_MS = 200;

/** A promise that is resolved from outside. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Ends a connection: waits for answers and until they are read, and cuts off what takes longer. */
async function drain(
  connection: DuplexConnection,
  output: Outlet,
  { clock, withinMs }: { readonly clock: Clock; readonly withinMs: number },
): Promise<void> {
  const endsAt = clock.now() + withinMs;
  // defence: time-for-answers
  await connection.drain(withinMs);
  // defence: answers-to-what-is-given-up
  connection.cutOff('The input ended.');
  await connection.drain(CUT_OFF_MS);
  // Whoever waits for the end may leave at once; what was said must be written by then, also to a reader that is behind.
  const leftMs = Math.max(CUT_OFF_MS, endsAt - clock.now());
  // defence: everything-written
  await withinTime(written(output), clock, leftMs).catch(() => {});
  connection.close('The input ended.');
}

/** Waits until everything is written; there is nothing to wait for when nobody reads. */
function written(output: Outlet): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed || output.writableLength === 0) resolve();
    else output.write('', () => resolve());
  });
}

/** What tells that nobody reads the output any more. */
const GONE = ['error', 'close'] as const;

/** What ends a wait for a reader. */
const READER_MOVES = ['drain', 'close', 'error'] as const;

/**
 * Writes, and waits while the reader is slow, once for all that is written meanwhile; one that is gone keeps nobody waiting. What is
 * answered at the same time goes out in one piece: the system is asked once, not for every answer.
 */
function writerTo(output: Outlet, unread: UnreadOutput): (text: string) => Promise<void> | undefined {
  let waiting: Promise<void> | undefined;
  let isCorked = false;
  const uncork = (): void => {
    isCorked = false;
    output.uncork();
  };
  return (text) => {
    // What is not an answer is lost: a client that does not read it has no use for it either.
    if (output.destroyed || (waiting !== undefined && !unread.hasRoomFor(text))) return waiting;
    if (!isCorked) {
      isCorked = true;
      output.cork();
      queueMicrotask(uncork);
    }
    if (output.write(text)) return undefined;
    unread.onWait(text);
    waiting ??= new Promise((resolve) => {
      const done = (): void => {
        waiting = undefined;
        for (const event of READER_MOVES) output.off(event, done);
        resolve();
      };
      for (const event of READER_MOVES) output.on(event, done);
    });
    return waiting;
  };
}
