import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BoundedText } from './bounded-text.ts';
import { createLineReader } from './line-reader.ts';
import { killSurvivors, RUN_MARKER } from './survivors.ts';

/** The same relative paths from `src/` and from `dist/`. Each supervisor runs in the interpreter of its command, because no other is sure to exist. */
const SUPERVISORS = {
  python: ['-I', '-S', toPath('../../../python/supervise.py')],
  node: [toPath('../../../node/supervise.mjs')],
} as const;

function toPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** Time of the supervisor beyond its grace period, before it is killed with all processes of the run. */
const SUPERVISOR_MS = 12_000;
/** Time for output that is still in the pipes after all processes ended. */
const DRAIN_MS = 1_000;

export interface ProcessLimits {
  /** Of standard output and of standard error, each. */
  readonly outputBytes: number;
  /** Of all events of a run. */
  readonly eventBytes: number;
  /** Of Python: the address space of each process. Of Node, which reserves more than it uses: the memory of all processes, measured. */
  readonly memoryBytes: number;
  /** Processes and threads of the user that a run may add, unless the user is root. */
  readonly processes: number;
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

export const PROCESS_LIMITS: ProcessLimits = {
  outputBytes: 200_000,
  eventBytes: 64_000_000,
  memoryBytes: 8 * 1024 ** 3,
  processes: 1_024,
  graceMs: 2_000,
};

/** Calls back once after a time; returns a function that cancels the callback. */
export type Schedule = (callback: () => void, delayMs: number) => () => void;

export const systemSchedule: Schedule = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};

export interface SupervisedCommand {
  readonly language: keyof typeof SUPERVISORS;
  /** Path or name of the interpreter. */
  readonly interpreter: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly limits: ProcessLimits;
  readonly schedule: Schedule;
  readonly signal?: AbortSignal | undefined;
  /** Takes each line that the command writes to {@link EVENTS_FD}. */
  readonly onLine?: ((line: string) => void) | undefined;
}

export type EndReason = 'timeout' | 'cancelled' | 'too_many_events';

export interface SupervisedResult {
  /** Of the command; 128 + signal if a signal ended it; -1 if the server ended it. */
  readonly exitCode: number;
  /** Set if the server ended the command. */
  readonly endedBy: EndReason | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly duration: number;
}

/** The descriptor for events in the command. */
export const EVENTS_FD = 3;

/**
 * Runs a command of an interpreter with bounded output, time and memory. When the promise settles, no process of the command is left. If this process
 * is killed, the supervisor ends the command.
 */
export async function runSupervised(command: SupervisedCommand): Promise<SupervisedResult> {
  const startedAt = performance.now();
  const runId = randomUUID();
  const child = start(command, runId);
  const stdout = new BoundedText(command.limits.outputBytes);
  const stderr = new BoundedText(command.limits.outputBytes);
  const [exited, closed] = [once(child, 'exit'), once(child, 'close')];
  // The error of a failed start is thrown below; `close` may not follow.
  closed.catch(() => undefined);
  const stop = createStop(child, command);
  try {
    child.stdout?.on('data', (chunk: Buffer) => stdout.append(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.append(chunk));
    const onLine = command.onLine ?? (() => undefined);
    const readEvents = createLineReader({
      maxBytes: command.limits.eventBytes,
      onLine,
      onOverflow: () => stop.end('too_many_events'),
    });
    (child.stdio[EVENTS_FD] as Readable | null)?.on('data', readEvents);
    const [code] = (await exited) as [number | null, NodeJS.Signals | null];
    // Before the clean-up: a cancellation that comes later does not change the result.
    const endedBy = stop.reason;
    await killSurvivors({ runId, session: child.pid ?? -1 });
    await Promise.race([closed, delay(DRAIN_MS, undefined, { ref: false })]);
    return {
      // A supervisor without exit code was killed by a test.
      exitCode: endedBy === undefined ? (code ?? 137) : -1,
      endedBy,
      stdout: stdout.toString(),
      stderr: stderr.toString(),
      duration: (performance.now() - startedAt) / 1000,
    };
  } finally {
    stop.dispose();
    for (const stream of child.stdio) stream?.destroy();
  }
}

function start(command: SupervisedCommand, runId: string): ChildProcess {
  const { language, interpreter, args, cwd, env, limits } = command;
  const settings = [limits.graceMs / 1000, limits.memoryBytes, limits.processes].map(String);
  return spawn(interpreter, [...SUPERVISORS[language], ...settings, ...args], {
    cwd,
    env: { ...env, [RUN_MARKER]: runId },
    // A session of its own: signals from the terminal of the server do not reach it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
}

/** Ends the command when it is cancelled or takes too long. */
function createStop(child: ChildProcess, { signal, timeoutMs, limits, schedule }: SupervisedCommand) {
  const timers: (() => void)[] = [];
  let reason: EndReason | undefined;
  const end = (why: EndReason) => {
    if (reason !== undefined) return;
    reason = why;
    child.stdin?.destroy();
    timers.push(schedule(() => child.kill('SIGKILL'), limits.graceMs + SUPERVISOR_MS));
  };
  const onAbort = () => end('cancelled');
  // The supervisor may have been killed; its exit is handled elsewhere.
  child.stdin?.on('error', () => undefined);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  timers.push(schedule(() => end('timeout'), timeoutMs));
  return {
    end,
    get reason() {
      return reason;
    },
    dispose() {
      signal?.removeEventListener('abort', onAbort);
      for (const cancel of timers) cancel();
    },
  };
}
