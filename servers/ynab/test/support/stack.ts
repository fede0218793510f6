import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { serveBudgetApi } from '@toolwright/ynab-api';
import { connectInMemory, silentLogger } from 'toolwright';
import type { Logger, ToolCall, ToolwrightServer } from 'toolwright';
import type { Clock } from 'toolwright/collaborators';
import { BudgetApi } from '../../src/api/budget-api.ts';
import { DOCUMENT_PATH } from '../../src/api/document.ts';
import type { BudgetContext } from '../../src/context.ts';
import { createBudgetServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings/settings.ts';

/** The first day of all tests: the sample data end on it. */
export const TODAY = '2026-11-18';
const NOON = Date.parse(`${TODAY}T12:00:00Z`);

const MAX_PAUSE_MS = 1000;

/** A clock that moves only when told. Pauses between the retries of a request pass immediately. */
export class TestClock implements Clock {
  #now = NOON;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#now;
  }

  schedule(run: () => void, delayMs: number): () => void {
    if (delayMs <= MAX_PAUSE_MS) {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    }
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.run();
    }
  }
}

export interface StackOptions {
  /** Variables of the server. Default: changes need no confirmation. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly requestsPerHour?: number;
  /** Replaces the address of the API, for example by a proxy with faults in front of it. */
  readonly between?: (url: string) => string | Promise<string>;
  readonly timeoutMs?: number;
  readonly logger?: Logger;
  /** Called with every call, before it runs. */
  readonly onCall?: (call: ToolCall) => void;
}

/** A budget server over an embedded API with sample data, in this process. */
export interface Stack {
  readonly server: ToolwrightServer<BudgetContext>;
  readonly apiUrl: string;
  /** Calls a tool as the user of a token, and returns its text. Throws the text of an error. */
  call(name: string, args?: Readonly<Record<string, unknown>>, token?: string): Promise<string>;
  /** {@link Stack.call} with `response_format: 'json'`, or of a tool that always returns JSON. */
  json<TResult>(name: string, args?: Readonly<Record<string, unknown>>, token?: string): Promise<TResult>;
  close(): Promise<void>;
}

export const TOKEN = 'token-of-ada';
export const OTHER_TOKEN = 'token-of-bob';

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const {
    environment = {},
    clock = new TestClock(),
    requestsPerHour = 100_000,
    between = (url) => url,
  } = options;
  const served = await serveBudgetApi({
    file: ':memory:',
    tokens: [TOKEN, OTHER_TOKEN],
    clock,
    requestsPerHour: 1_000_000,
  });
  const api = await BudgetApi.load({
    document: DOCUMENT_PATH,
    baseUrl: await between(served.url),
    requestsPerHour,
    clock,
    timeoutMs: options.timeoutMs ?? 10_000,
  });
  const server = createBudgetServer({
    settings: readSettings({ YNAB_MCP_WRITE_MODE: 'enabled', ...environment }),
    api,
    tokenOf: (call) => {
      options.onCall?.(call);
      return call.accessToken ?? TOKEN;
    },
    clock,
    logger: options.logger ?? silentLogger,
  });
  const call: Stack['call'] = async (name, args = {}, token = TOKEN) => {
    const result = await server.tools?.executeTool({ name, arguments: args, accessToken: token });
    const [block] = result?.content ?? [];
    const text = block?.type === 'text' ? block.text : '';
    if (result?.isError === true) throw new Error(text);
    return text;
  };
  return {
    server,
    apiUrl: served.url,
    call,
    json: async <TResult>(name: string, args: Readonly<Record<string, unknown>> = {}, token?: string) => {
      const reads = { ...args, response_format: 'json' };
      const properties = server.tools?.findTool(name)?.inputSchema['properties'] as object | undefined;
      const isRead = 'response_format' in (properties ?? {});
      return JSON.parse(await call(name, isRead ? reads : args, token)) as TResult;
    },
    close: async () => {
      await server.close();
      api.close();
      await served.close();
    },
  };
}

/** Official clients, connected in memory. */
export async function connectV2(server: ToolwrightServer<BudgetContext>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(connectInMemory(server));
  return client;
}

export async function connectV1(server: ToolwrightServer<BudgetContext>): Promise<ClientV1> {
  const client = new ClientV1({ name: 'test', version: '1.0.0' });
  await client.connect(connectInMemory(server));
  return client;
}
