import type { RedisServer } from '../../support/redis-server.ts';
import type { FaultProxy } from '../../support/fault-proxy.ts';
import { asked } from './asked.ts';
import { ChildServer } from './child-server.ts';
import { HttpCaller } from './http-caller.ts';
import { TokenClient } from './token-client.ts';
import type { Weakness } from './weaken.ts';

/** Options of {@link Nodes}. */
export interface NodesOptions {
  readonly without?: readonly Weakness[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether each node is a process of its own. Default: with all defences, yes; otherwise one process has all nodes. */
  readonly isApart?: boolean;
}

/** Runs of the handlers of all nodes, by name. */
export type Runs = Readonly<Record<string, number>>;

/** Nodes of `nodes-http.mjs`: one for each Redis or proxy in front of one. */
export class Nodes {
  readonly processes: readonly ChildServer[];
  readonly ports: readonly number[];
  readonly #http: readonly HttpCaller[];

  private constructor(processes: readonly ChildServer[], ports: readonly number[]) {
    this.processes = processes;
    this.ports = ports;
    this.#http = ports.map((port) => new HttpCaller(port));
  }

  static async start(
    stores: readonly (RedisServer | FaultProxy)[],
    { without = [], env = {}, isApart = without.length === 0 }: NodesOptions = {},
  ): Promise<Nodes> {
    const groups = isApart ? stores.map((store) => [store]) : [stores];
    const processes = await Promise.all(
      groups.map(async (group) => {
        const REDIS_PORTS = group.map(({ port }) => port).join(',');
        const child = await ChildServer.start('nodes-http.mjs', { without, env: { ...env, REDIS_PORTS } });
        const { ports } = await child.hear<{ ports: number[] }>('ports');
        return { child, ports };
      }),
    );
    return new Nodes(
      processes.map(({ child }) => child),
      processes.flatMap(({ ports }) => ports),
    );
  }

  /** A client of one node. */
  client(node: number, token = 'ada'): TokenClient {
    const http = this.#http[node];
    if (http === undefined) throw new Error(`no node ${node}`);
    return new TokenClient(http, token);
  }

  /** Announces a change of a list at a node. */
  async announce(node: number, kind: 'tools' | 'prompts' | 'resources' = 'tools'): Promise<void> {
    const isApart = this.processes.length > 1;
    const child = this.processes[isApart ? node : 0];
    if (child === undefined) throw new Error(`no node ${node}`);
    await asked(child, { announce: kind, node: isApart ? 0 : node }, 'announced');
  }

  /** Registers a tool at all nodes. */
  async register(name: string): Promise<void> {
    await Promise.all(this.processes.map((child) => asked(child, { register: name }, 'registered')));
  }

  async runs(): Promise<Runs> {
    const all = await Promise.all(
      this.processes.map((child) => asked<{ runs: Runs }>(child, 'runs', 'runs')),
    );
    const sum: Record<string, number> = {};
    for (const { runs } of all)
      for (const [name, count] of Object.entries(runs)) sum[name] = (sum[name] ?? 0) + count;
    return sum;
  }
}
