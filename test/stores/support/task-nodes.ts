import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DIST, ROOT } from '../../support/dist.ts';
import { postModern } from '../../support/raw-http.ts';
import type { RawAnswer } from '../../support/raw-peer.ts';
import { until } from '../../support/until.ts';

const FIXTURE = join(ROOT, 'test/fixtures/queued');

/** Generous: processes start slowly on a busy machine. */
const WITHIN_MS = 60_000;

/** A task as `tasks/get` returns it. */
export interface SeenTask {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>;
  readonly result?: { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

const CAPABILITIES = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** Nodes and workers of the server in `test/fixtures/queued`, as processes that share a Redis. */
export class TaskNodes implements AsyncDisposable {
  readonly prefix: string = `test:${randomUUID()}`;
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'task-nodes-'));
  readonly #env: NodeJS.ProcessEnv;
  readonly #children = new Set<ChildProcess>();

  constructor(redisUrl: string, env: NodeJS.ProcessEnv = {}) {
    appendFileSync(this.#log, '');
    appendFileSync(join(this.#folder, 'errors'), '');
    this.#env = { ...process.env, REDIS_URL: redisUrl, PREFIX: this.prefix, LOG: this.#log, ...env };
  }

  get #log(): string {
    return join(this.#folder, 'log');
  }

  /** What the processes have written to standard error. */
  get errors(): string {
    return readFileSync(join(this.#folder, 'errors'), 'utf8');
  }

  /** What the handlers have noted, line by line. */
  get lines(): readonly string[] {
    return readFileSync(this.#log, 'utf8').split('\n').slice(0, -1);
  }

  /** Starts a node; returns its URL. */
  async startNode(env: NodeJS.ProcessEnv = {}): Promise<string> {
    const child = this.#start([join(FIXTURE, 'node.mjs')], env);
    for await (const line of createInterface(child.stdout as NodeJS.ReadableStream)) return line;
    throw new Error(`the node did not start:\n${this.errors}`);
  }

  /** Starts `toolwright worker`. */
  async startWorker(env: NodeJS.ProcessEnv = {}, flags: readonly string[] = []): Promise<ChildProcess> {
    const args = [join(DIST, 'bundle/cli.js'), 'worker', join(FIXTURE, 'server.mjs'), ...flags];
    const child = this.#start(args, env);
    const lines = createInterface(child.stderr as NodeJS.ReadableStream);
    for await (const line of lines) if (line.includes('working')) return child;
    throw new Error(`the worker did not start:\n${this.errors}`);
  }

  #start(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
    const child = spawn(process.execPath, args, {
      env: { ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr?.on('data', (chunk: Buffer) => appendFileSync(join(this.#folder, 'errors'), chunk));
    this.#children.add(child);
    return child;
  }

  /** Waits for a line of the handlers. */
  async noted(start: string): Promise<string> {
    const find = (): string | undefined => this.lines.find((line) => line.startsWith(start));
    const line = await until(find, (found) => found !== undefined, WITHIN_MS);
    if (line === undefined) throw new Error(`never noted "${start}": ${this.lines.join(' | ')}`);
    return line;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const left = [...this.#children].filter((child) => child.exitCode === null && child.signalCode === null);
    await Promise.all(
      left.map((child) => {
        const exit = once(child, 'exit');
        child.kill('SIGCONT');
        child.kill('SIGKILL');
        return exit;
      }),
    );
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Sends a request of a client with tasks. */
export function send(
  url: string,
  method: string,
  { user = 'ada', ...params }: Readonly<Record<string, unknown>> & { readonly user?: string },
): Promise<RawAnswer & { readonly status: number }> {
  return postModern(url, { method, params, capabilities: CAPABILITIES, headers: { 'x-user': user } });
}

/** Starts a task; returns its id. */
export async function startTask(
  url: string,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { result, error } = await send(url, 'tools/call', { name, arguments: args });
  if (result?.['resultType'] !== 'task') throw new Error(`no task: ${JSON.stringify(result ?? error)}`);
  return String(result['taskId']);
}

export async function getTask(url: string, taskId: string): Promise<SeenTask> {
  const { result, error } = await send(url, 'tasks/get', { taskId });
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result as unknown as SeenTask;
}

/** Waits until a task has one of these statuses. */
export async function untilTask(
  url: string,
  taskId: string,
  ...statuses: readonly string[]
): Promise<SeenTask> {
  return until(
    () => getTask(url, taskId),
    ({ status }) => statuses.includes(status),
    WITHIN_MS,
  );
}
