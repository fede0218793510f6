import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Weakness } from './weaken.ts';
import { weakenedApp } from './weakened-app.ts';

/** Resource usage of a process. */
export interface Usage {
  /** Peak memory. */
  readonly peakBytes: number;
  readonly heapBytes: number;
  readonly cpuMicros: number;
  /** The longest delay of the event loop since `watchDelay()`. */
  readonly maxDelayMs?: number;
  readonly resources: readonly string[];
}

export interface ChildOptions {
  readonly without?: readonly Weakness[];
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[];
  /** Another file to run, such as the same app of another version of the package. */
  readonly file?: string | undefined;
}

/** Characters of stderr that are kept. */
const MAX_KEPT = 100_000;

/** The default of Node 20 and 22. It is 64 MB in Node 24 and 32 MB in Node 26: the same server then needs more memory, because garbage is collected later. */
const YOUNG_GENERATION = '--max-semi-space-size=16';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/**
 * An app of `test/promises/apps/` in its own process, on the built package. An app over HTTP sends `{ port }` to its parent when it
 * listens; one over stdio sends nothing, and its pipes are `process.stdin` and `process.stdout`. It is ended with the test.
 */
export class ChildServer {
  readonly process: ChildProcess;
  /** Everything the process wrote to stderr; the last 100,000 characters of it. */
  stderr = '';
  #stdout = '';
  /** Exit code and signal. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  port = 0;

  private constructor(file: string, { env = {}, args = [], execArgv = [] }: ChildOptions) {
    this.process = fork(file, [...args], {
      execArgv: ['--import', join(HERE, 'companion.mjs'), '--expose-gc', YOUNG_GENERATION, ...execArgv],
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    });
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(-MAX_KEPT);
    });
    this.ended = new Promise((resolve) => {
      this.process.once('exit', (code, signal) => resolve({ code, signal }));
    });
    onTestFinished(() => this.stop());
  }

  static async start(app: string, options: ChildOptions = {}): Promise<ChildServer> {
    if (options.file !== undefined) return new ChildServer(options.file, options);
    return new ChildServer(await weakenedApp(join(HERE, '../apps', app), options.without ?? []), options);
  }

  /** Starts an app over HTTP and waits until it listens. */
  static async listen(app: string, options?: ChildOptions): Promise<ChildServer> {
    const child = await ChildServer.start(app, options);
    child.process.stdout?.on('data', (chunk: Buffer) => {
      child.#stdout += chunk.toString();
    });
    const { port } = await child.hear<{ port: number }>('port');
    child.port = port;
    return child;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  /** Everything an app over HTTP wrote to its two outputs. Throws if only a part of it was kept. */
  get written(): string {
    if (this.stderr.length >= MAX_KEPT) throw new Error(`the process wrote more than ${MAX_KEPT} characters`);
    return this.#stdout + this.stderr;
  }

  get isAlive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Waits for a message that has the key. Rejects when the process ends first. */
  async hear<Message extends object>(key: string): Promise<Message> {
    const heard = new Promise<Message>((resolve) => {
      const listener = (message: unknown): void => {
        if (typeof message !== 'object' || message === null || !(key in message)) return;
        this.process.off('message', listener);
        resolve(message as Message);
      };
      this.process.on('message', listener);
    });
    const ended = this.ended.then(({ code, signal }) => {
      throw new Error(`the server ended (${code ?? signal}) before it said "${key}":\n${this.stderr}`);
    });
    return Promise.race([heard, ended]);
  }

  /** Resource usage after a garbage collection. */
  usage(): Promise<Usage> {
    const answer = this.hear<Usage>('peakBytes');
    this.process.send('usage');
    return answer;
  }

  /** Starts to measure the delay of the event loop. */
  async watchDelay(): Promise<void> {
    const answer = this.hear('watching');
    this.process.send('watch-delay');
    await answer;
  }

  async stop(): Promise<void> {
    if (!this.isAlive) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }
}
