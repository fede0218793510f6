import type { Readable, Writable } from 'node:stream';
import { isObject } from '../../base/is-object.ts';
import { assertOptions, MAX_TIMER_MS, numberFrom, objectWith } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { JSON_RPC_INVALID_REQUEST, JSON_RPC_PARSE_ERROR } from '../../errors/codes.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { Principal } from '../../middleware/context.ts';
import { createId } from '../../base/random-id.ts';
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
  /** Stream to read from. Default: `process.stdin`. */
  readonly input?: Readable;
  /** Stream to write to. Default: `process.stdout`; other output to it is then redirected to standard error. */
  readonly output?: Writable;
  /** The principal of the process that started this one, for example from its environment. Default: the caller is anonymous. */
  readonly principal?: Principal;
  /** Caller: the user who started the process. Default: anonymous. */
  readonly caller?: Caller;
  /** Time for running calls after the input ends, until the client has read their responses, in milliseconds. Default: 5,000. */
  readonly drainMs?: number;
  /** Handling of unhandled rejections: `log` them, or `exit` after all requests have been responded to. Default: `log`. */
  readonly onStrayError?: StrayErrorPolicy;
}

/** A running stdio server, returned by {@link serveStdio}. */
export interface RunningStdio extends AsyncDisposable {
  /** Resolves when the input has ended and all requests have ended or were cancelled. */
  readonly closed: Promise<void>;
  /** Stops reading, drains running requests, and restores standard output. */
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
 * Serves a server or a registry over standard input and output. Ends when the input ends.
 *
 * @example
 * serveStdio(server);
 */
export function serveStdio<TContext extends object>(
  server: Servable<TContext>,
  options: ServeStdioOptions = {},
): RunningStdio {
  assertOptions('serveStdio', options, OPTIONS);
  const caller = { ...callerOf(options), connection: createId() };
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
      // If the input ended, the client may still read the output: it must contain only messages.
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
    // The client has read nothing for `drainMs`.
    const onStall = (): void => void end(false, 0);
    unread.finish({ clock: served.clock, stallMs: drainMs, onDone, onStall });
  };
  // The reader of the output has disconnected: no response can be delivered.
  // defence: broken-output
  const onBroken = (): void => {
    connection.close('The output was closed.');
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

/** Passes lines to a connection. */
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

/** Error for a line that could not be decoded. */
function toRefusal(problem: LineProblem, maxBytes: number): RpcError {
  if (problem === 'not-utf8')
    return { code: JSON_RPC_PARSE_ERROR, message: 'Parse error: the message is not UTF-8.' };
  return { code: JSON_RPC_INVALID_REQUEST, message: `The message is longer than ${maxBytes} bytes.` };
}

/** Time for error responses after everything was cancelled. */
const CUT_OFF_MS = 200;

/** A promise that is resolved from outside. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Drains a connection: waits for responses and until they are read, then cancels the rest. */
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
  // The process may exit after this, so responses must be written by then, also to a slow reader.
  const leftMs = Math.max(CUT_OFF_MS, endsAt - clock.now());
  // defence: everything-written
  await withinTime(written(output), { clock, ms: leftMs }).catch(() => {});
  connection.close('The input ended.');
}

/** Waits until everything is written; returns immediately if the output is closed. */
function written(output: Outlet): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed || output.writableLength === 0) resolve();
    else output.write('', () => resolve());
  });
}

/** Events of a closed output. */
const GONE = ['error', 'close'] as const;

/** Events that end a wait for the reader. */
const READER_MOVES = ['drain', 'close', 'error'] as const;

/**
 * Returns a function that writes and waits while the reader is slow; all writes share one wait, which ends if the reader disconnects.
 * Responses of the same tick are written in one system call.
 */
function writerTo(output: Outlet, unread: UnreadOutput): (text: string) => Promise<void> | undefined {
  let waiting: Promise<void> | undefined;
  let isCorked = false;
  const uncork = (): void => {
    isCorked = false;
    output.uncork();
  };
  return (text) => {
    // Notifications are dropped: a client that does not read has no use for them.
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
