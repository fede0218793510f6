import { relative } from 'node:path';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { harmless } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { FileWatcher } from './file-watcher.ts';
import { formatReport } from './format-report.ts';
import { HotServer } from './hot-server.ts';
import type { Answerer } from './hot-server.ts';
import type { ServerSketch } from './messages.ts';
import { LoadFailure, WorkerProcess } from './worker-process.ts';
import type { WorkerOptions } from './worker-process.ts';

/** Options of {@link Supervisor}. */
export interface SupervisorOptions {
  readonly file: string | undefined;
  readonly terminal: Pick<Terminal, 'cwd' | 'err' | 'paintErr'>;
  readonly clock?: Clock;
  /** Called when a version could not be loaded. */
  readonly onFailed?: () => void;
  /** Default: starts a process. */
  readonly startWorker?: (options: WorkerOptions) => Worker;
}

/** One version of the server. */
export interface Worker extends Answerer {
  readonly ready: Promise<ServerSketch>;
  close(drainMs: number): Promise<void>;
}

/** Drain time of a replaced version. It is long, because calls have their own deadlines. */
const DRAIN_MS = 600_000;
/** Drain time when the command ends. */
const END_MS = 5000;

/** A version that crashes sooner is not restarted, because it would probably crash again. */
const MIN_LIFE_MS = 2000;

/** The first version that could be loaded. */
export interface Begun {
  readonly hot: HotServer;
  readonly sketch: ServerSketch;
}

/** Keeps the current version of a server running: replaces its process when one of its files changes or when it crashes. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #clock: Clock;
  readonly #watcher: FileWatcher;
  #begin: (begun: Begun) => void = () => {};
  #hot: HotServer | undefined;
  #current: Worker | undefined;
  #next: Worker | undefined;
  /** Replaced versions with running calls. */
  readonly #replaced = new Set<Worker>();
  #isCrashed = false;
  #startedAt = 0;
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#watcher = new FileWatcher({
      clock: this.#clock,
      onChange: (files) => {
        const shown = files.map((file) => relative(options.terminal.cwd, file)).join(', ');
        this.#say('yellow', 'changed', shown);
        void this.#start();
      },
      onProblem: (message) => this.#say('red', 'error', message),
    });
  }

  /** Watches a folder in addition to the files of the server. */
  watchFolder(folder: string): void {
    this.#watcher.addFolder(folder);
  }

  watchFile(file: string): void {
    this.#watcher.addFiles([file]);
  }

  /** Waits for the first version that can be loaded. */
  begin(): Promise<Begun> {
    return new Promise((resolve) => {
      this.#begin = resolve;
      void this.#start();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watcher.close();
    const old = Array.from(this.#replaced, (worker) => worker.close(END_MS));
    await Promise.all([this.#next?.close(0), this.#current?.close(END_MS), ...old]);
  }

  /** Starts the current version. The previous version serves until it is ready, and continues if it cannot be loaded. */
  async #start(): Promise<void> {
    if (this.#isClosed) return;
    void this.#next?.close(0);
    const startedAt = this.#clock.now();
    const { file, terminal, startWorker = toProcess } = this.#options;
    const next: Worker = startWorker({
      file,
      cwd: terminal.cwd,
      onFiles: (files) => this.#watcher.addFiles(files),
      onSketch: (sketch) => {
        if (next === this.#current) this.#hot?.describe(sketch);
      },
      onEvent: (event) => {
        if (next === this.#current) this.#hot?.tell(event);
      },
      onThrown: (report) => terminal.err(formatReport(report, terminal.paintErr)),
      onCrash: (reason) => {
        if (next === this.#current) this.#restart(reason);
      },
    });
    this.#next = next;
    try {
      const sketch = await next.ready;
      // A newer version has been started meanwhile.
      if (next !== this.#next || this.#isClosed) return;
      this.#next = undefined;
      this.#takeOver(next, sketch, startedAt);
    } catch (error) {
      if (next !== this.#next || this.#isClosed) return;
      this.#next = undefined;
      this.#say('red', 'error', error instanceof LoadFailure ? error.message : String(error));
      const isServing = this.#current !== undefined && !this.#isCrashed;
      const goesOn = isServing ? ' The previous version continues to serve.' : '';
      this.#options.onFailed?.();
      this.#say('dim', 'waiting', `for a change.${goesOn}`);
    }
  }

  #takeOver(next: Worker, sketch: ServerSketch, startedAt: number): void {
    const before = this.#current;
    this.#current = next;
    this.#isCrashed = false;
    this.#startedAt = this.#clock.now();
    for (const remark of sketch.remarks) this.#say('yellow', 'openapi', remark);
    if (this.#hot === undefined) {
      this.#hot = new HotServer(sketch, next);
      this.#begin({ hot: this.#hot, sketch });
      return;
    }
    this.#hot.exchange(sketch, next);
    const { name, version } = sketch.info;
    this.#say('green', 'reloaded', `${name} ${version} in ${this.#clock.now() - startedAt} ms`);
    if (before !== undefined) this.#replace(before);
  }

  #replace(before: Worker): void {
    this.#replaced.add(before);
    void before.close(DRAIN_MS).finally(() => this.#replaced.delete(before));
  }

  #restart(reason: string): void {
    this.#isCrashed = true;
    this.#say('red', 'crashed', `${reason}.`);
    if (this.#clock.now() - this.#startedAt < MIN_LIFE_MS) this.#say('dim', 'waiting', 'for a change.');
    else void this.#start();
  }

  #say(colour: 'dim' | 'green' | 'red' | 'yellow', what: string, text: string): void {
    const { err, paintErr } = this.#options.terminal;
    err(`${paintErr[colour](what)} ${harmless(text)}`);
  }
}

function toProcess(options: WorkerOptions): Worker {
  return new WorkerProcess(options);
}
