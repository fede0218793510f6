import { serveHttp } from '../../src/http.ts';
import type { RunningHttp, ServeHttpOptions } from '../../src/http.ts';
import type { ServerOptions, ToolwrightServer } from '../../src/index.ts';
import { MemoryEventBus, MemoryEventStore, MemoryStateStore } from '../../src/stores.ts';
import { createScenarioServer } from '../fixtures/scenario-server.ts';
import { RoundRobin } from './round-robin.ts';
import { connectOverHttp } from './served-clients.ts';
import type { ClientName, ServedClient } from './served-clients.ts';

export const SECRET = 'the secret of all nodes, of 32 characters';

/** Several scenario servers that share their stores, behind a proxy that sends every request to the next one. */
export class SharedNodes implements AsyncDisposable {
  readonly servers: readonly ToolwrightServer[];
  readonly running: readonly RunningHttp[];
  readonly proxy: RoundRobin;
  readonly state: MemoryStateStore;

  private constructor(
    nodes: readonly { readonly server: ToolwrightServer; readonly running: RunningHttp }[],
    proxy: RoundRobin,
    state: MemoryStateStore,
  ) {
    this.servers = nodes.map(({ server }) => server);
    this.running = nodes.map(({ running }) => running);
    this.proxy = proxy;
    this.state = state;
  }

  static async start(
    count: number,
    options: Partial<ServerOptions> = {},
    http: ServeHttpOptions = {},
  ): Promise<SharedNodes> {
    const state = new MemoryStateStore();
    const eventStore = new MemoryEventStore();
    const eventBus = new MemoryEventBus();
    const nodes: { server: ToolwrightServer; running: RunningHttp }[] = [];
    for (let left = count; left > 0; left -= 1) {
      const server = createScenarioServer({ eventBus, requestStateKeys: [SECRET], ...options });
      const { sessions, ...others } = http;
      const shared = { shared: state, eventStore, ...(sessions === false ? {} : sessions) };
      nodes.push({ server, running: await serveHttp(server, { port: 0, sessions: shared, ...others }) });
    }
    const proxy = await RoundRobin.start(nodes.map(({ running }) => running.port));
    return new SharedNodes(nodes, proxy, state);
  }

  get url(): string {
    return this.proxy.url;
  }

  /** Connects a client through the proxy, and waits until its stream is open. */
  async connect(name: ClientName): Promise<ServedClient> {
    const client = await connectOverHttp(name, this.url);
    await this.proxy.opened(1);
    return client;
  }

  urlOf(node: number): string {
    return this.running[node]?.url ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy[Symbol.asyncDispose]();
    await Promise.all(this.running.map((each) => each.close()));
    await Promise.all(this.servers.map((each) => each.close()));
  }
}
