import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { TASKS } from '../../protocol/support/rpc.ts';
import type { RpcMessage } from '../../protocol/support/rpc.ts';
import type { RedisServer } from '../../support/redis-server.ts';
import { ChildServer } from './child-server.ts';
import { answerIn, HttpCaller, messagesIn } from './http-caller.ts';
import type { Ended } from './http-caller.ts';
import { until } from './patience.ts';
import { TokenClient } from './token-client.ts';
import type { Weakness } from './weaken.ts';

/** Long enough for leases that expire on a busy machine. */
const PATIENCE_MS = 90_000;
const OPTIONS = { capabilities: TASKS };
const FINAL = new Set(['completed', 'failed', 'cancelled']);
const LOST = /^The worker process ended before the task, and tool "once" declares retries: 0\.$/;

interface Node {
  readonly child: ChildServer;
  readonly client: TokenClient;
}

/** A task whose id a client has got. */
interface Accepted {
  readonly id: string;
  readonly taskId: string;
  readonly tool: string;
}

export interface TaskCrowdOptions {
  readonly nodes: number;
  readonly leaseMs: number;
  readonly without: readonly Weakness[];
}

/** Nodes of `tasks-http.mjs`, and clients that start tasks at them and follow them. */
export class TaskCrowd {
  readonly accepted: Accepted[] = [];
  /** Statuses of responses without a task; 0 for a lost one. */
  readonly rejected: number[] = [];
  readonly #nodes: Node[] = [];
  readonly #redis: RedisServer;
  readonly #options: TaskCrowdOptions;
  readonly #prefix = randomUUID();
  readonly #folder = mkdtempSync(join(tmpdir(), 'task-crowd-'));
  readonly #told = new Map<string, string[]>();

  private constructor(redis: RedisServer, options: TaskCrowdOptions) {
    this.#redis = redis;
    this.#options = options;
    appendFileSync(this.#log, '');
    onTestFinished(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  static async start(redis: RedisServer, options: TaskCrowdOptions): Promise<TaskCrowd> {
    const crowd = new TaskCrowd(redis, options);
    const nodes = await Promise.all(Array.from({ length: options.nodes }, () => crowd.#startNode()));
    crowd.#nodes.push(...nodes);
    return crowd;
  }

  get #log(): string {
    return join(this.#folder, 'log');
  }

  async #startNode(): Promise<Node> {
    const { without, leaseMs } = this.#options;
    const child = await ChildServer.listen('tasks-http.mjs', {
      without,
      env: {
        REDIS_PORT: String(this.#redis.port),
        PREFIX: this.#prefix,
        LEASE_MS: String(leaseMs),
        LOG: this.#log,
      },
    });
    return { child, client: new TokenClient(new HttpCaller(child.port), 'ada') };
  }

  /** A client of the node, or of the next one. */
  client(at: number): TokenClient {
    return (this.#nodes[at % this.#nodes.length] as Node).client;
  }

  /** Kills a node with SIGKILL, and starts another one in its place. */
  async replace(at: number): Promise<void> {
    const { child } = this.#nodes[at] as Node;
    child.process.kill('SIGKILL');
    await child.ended;
    this.#nodes[at] = await this.#startNode();
  }

  /** Starts a task at a node; at the next one if the connection is lost. If a client gets its id, another node must know the task. */
  async begin(number: number, ms: number, losses = 0): Promise<Accepted | undefined> {
    const tool = number % 2 === 0 ? 'again' : 'once';
    // The call whose response was lost may have begun.
    const id = `${tool}-${number}-${losses}`;
    const sent = await this.client(number + losses).call(tool, { id, ms }, OPTIONS);
    const taskId: unknown = answerIn(sent)?.result?.taskId;
    if (typeof taskId !== 'string') {
      this.rejected.push(sent.status);
      return sent.status === 0 && losses < 10 ? this.begin(number, ms, losses + 1) : undefined;
    }
    const accepted = { id, taskId, tool };
    this.accepted.push(accepted);
    const { error } = await this.#get(taskId, number + 1);
    expect(error, 'the error for a task whose id a client has got').toBeUndefined();
    return accepted;
  }

  /** Waits until a task has ended. */
  async untilEnded({ taskId }: Accepted, at: number): Promise<void> {
    await until(
      async () => FINAL.has(String((await this.#get(taskId, at)).result?.status)),
      PATIENCE_MS,
      'a task that does not end',
    );
  }

  /** Waits until a task has begun; returns the node that runs it. */
  async nodeOf({ id }: Accepted): Promise<number> {
    let pid: string | undefined;
    await until(
      () => {
        const line = readFileSync(this.#log, 'utf8')
          .split('\n')
          .findLast((each) => each.startsWith(`${id} at `));
        pid = line?.split(' at ')[1];
        return pid !== undefined;
      },
      PATIENCE_MS,
      'a task that does not begin',
    );
    return this.#nodes.findIndex(({ child }) => String(child.process.pid) === pid);
  }

  /** Waits until no handler runs. */
  async untilIdle(): Promise<void> {
    await until(
      () => {
        const lines = readFileSync(this.#log, 'utf8').split('\n').slice(0, -1);
        return 2 * lines.filter((line) => line.startsWith('ended ')).length === lines.length;
      },
      PATIENCE_MS,
      'handlers that do not end',
    );
  }

  /** Subscribes to a task at a node, and again at another one when the stream ends. */
  watch({ taskId }: Accepted, at: number): void {
    const told: string[] = [];
    this.#told.set(taskId, told);
    const listen = async (node: number): Promise<void> => {
      let known = 0;
      const ended = await this.client(node).modern(
        'subscriptions/listen',
        { notifications: { taskIds: [taskId] } },
        {
          ...OPTIONS,
          onPart: (text) => {
            const headers = { 'content-type': 'text/event-stream' };
            const whole = text.slice(0, text.lastIndexOf('\n') + 1);
            const all = messagesIn({ status: 200, headers, text: whole });
            for (const { method, params } of all.slice(known))
              if (method === 'notifications/tasks') told.push(String(params?.['status']));
            known = all.length;
          },
        },
      );
      if (ended.loss !== undefined && node < at + 20) await listen(node + 1);
    };
    void listen(at);
  }

  /** Waits until all accepted tasks have ended, and checks their ends. Tasks fail only if workers are lost. */
  async expectEnds({ losesWorkers }: { readonly losesWorkers: boolean }): Promise<void> {
    const ends = new Map<string, string>();
    await until(
      async () => {
        for (const [index, { taskId }] of this.accepted.entries()) {
          if (ends.has(taskId)) continue;
          const { result, error } = await this.#get(taskId, index);
          if (error !== undefined) throw new Error(`a lost task: ${error.message}`);
          if (FINAL.has(String(result?.status))) ends.set(taskId, JSON.stringify(result));
        }
        return ends.size === this.accepted.length;
      },
      PATIENCE_MS,
      'tasks that do not end',
    );
    const lines = readFileSync(this.#log, 'utf8').split('\n');
    const twice = this.accepted.filter(
      ({ id, tool }) => tool === 'once' && lines.filter((line) => line.startsWith(`${id} at `)).length > 1,
    );
    expect(twice, 'tasks without retries that ran again').toEqual([]);
    for (const [index, { id, taskId, tool }] of this.accepted.entries()) {
      const { result } = await this.#get(taskId, index + 1);
      expect(JSON.stringify(result), `the end of ${id} at another node`).toBe(ends.get(taskId));
      if (result?.status === 'completed' || !losesWorkers)
        expect(result?.['result'], `the end of ${id}`).toMatchObject({
          content: [{ text: `${id} for ada` }],
        });
      else
        expect([tool, result?.status, result?.['error']], `the end of ${id}`).toEqual([
          'once',
          'failed',
          { code: -32603, message: expect.stringMatching(LOST) as unknown },
        ]);
      const told = (this.#told.get(taskId) ?? []).filter((status) => FINAL.has(status));
      expect(told.length, `notifications of the end of ${id}`).toBeLessThanOrEqual(1);
      expect([result?.status], `the notified end of ${id}`).toEqual(expect.arrayContaining(told));
    }
  }

  /** Looks at a task until a node responds. */
  async #get(taskId: string, at: number): Promise<RpcMessage> {
    let ended: Ended = { status: 0, headers: {}, text: '' };
    let node = at;
    await until(
      async () => {
        ended = await this.client(node).modern('tasks/get', { taskId }, OPTIONS);
        node += 1;
        return ended.loss === undefined && ended.status !== 503;
      },
      PATIENCE_MS,
      'a response to tasks/get',
    );
    return answerIn(ended) ?? {};
  }
}

/** Runs the work for all numbers, some at the same time. */
export async function forEachOf(
  count: number,
  atOnce: number,
  work: (at: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < count) {
      const at = next;
      next += 1;
      await work(at);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
}
