import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect } from 'vitest';
import { connectInMemory } from '../../src/index.ts';
import type { Caller, ToolwrightServer } from '../../src/index.ts';
import { serveHttp } from '../../src/http.ts';
import { createScenarioServer } from '../fixtures/scenario-server.ts';
import { BalancedNodes } from './balanced-nodes.ts';
import { bundleScenarioServer } from './scenario-process.ts';
import { ServedClient } from './served-client.ts';
import type { Answers, OfficialClient } from './served-client.ts';

export { ServedClient } from './served-client.ts';
export type ClientName = 'v1' | 'v2 legacy' | 'v2 auto' | 'v2 pinned';
/** `dev`: over stdio, through `toolwright dev`. `HAProxy`: over HTTP, through a balancer with three nodes. */
export type TransportName = 'stdio' | 'HTTP' | 'HAProxy' | 'memory' | 'dev';

/** One official client over one transport. */
export interface Combination {
  readonly client: ClientName;
  readonly transport: TransportName;
  readonly era: 'legacy' | 'modern';
}

export const CLIENTS: readonly Omit<Combination, 'transport'>[] = [
  { client: 'v1', era: 'legacy' },
  { client: 'v2 legacy', era: 'legacy' },
  { client: 'v2 auto', era: 'modern' },
  { client: 'v2 pinned', era: 'modern' },
];

/** One client of each era only, because each starts two processes. */
const THROUGH_DEV: readonly Combination[] = CLIENTS.filter(
  ({ client }) => client === 'v1' || client === 'v2 auto',
).map((each) => ({ ...each, transport: 'dev' }));

/** Every official client over every transport. The v2 client supports 2026-07-28 over any transport, also in memory. */
export const COMBINATIONS: readonly Combination[] = (['stdio', 'HTTP', 'HAProxy', 'memory'] as const)
  .flatMap((transport): Combination[] => CLIENTS.map((each) => ({ ...each, transport })))
  .concat(THROUGH_DEV);

const INFO = { name: 'official', version: '7.8.9' };

const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** Capabilities of a client. Default: all. */
export type Capabilities = Readonly<Record<string, object>>;

/** A client that is not connected yet. */
export function createClient(name: ClientName, capabilities: Capabilities = EVERYTHING): ServedClient {
  const answers: Answers = {};
  const client =
    name === 'v1' ? createV1(capabilities, answers) : createV2(MODES[name], capabilities, answers);
  return new ServedClient(client, answers, { isAggregating: name !== 'v1' });
}

const MODES = {
  'v2 legacy': 'legacy',
  'v2 auto': 'auto',
  'v2 pinned': { pin: '2026-07-28' },
} as const;

function createV1(capabilities: Capabilities, answers: Answers): OfficialClient {
  const client = new ClientV1(INFO, { capabilities });
  if (capabilities['elicitation'] !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answers.elicit?.(params) as never);
  if (capabilities['sampling'] !== undefined)
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => answers.sample?.(params) as never);
  if (capabilities['roots'] !== undefined)
    client.setRequestHandler(ListRootsRequestSchema, () => answers.roots?.() as never);
  // Version 1 has an additional parameter, the schema of the result.
  const callTool = client.callTool.bind(client);
  return Object.assign(client, {
    callTool: (params: never, options: never) => callTool(params, undefined, options),
  }) as unknown as OfficialClient;
}

function createV2(
  mode: (typeof MODES)[keyof typeof MODES],
  capabilities: Capabilities,
  answers: Answers,
): OfficialClient {
  const client = new ClientV2(INFO, { capabilities, versionNegotiation: { mode } });
  if (capabilities['elicitation'] !== undefined)
    client.setRequestHandler(
      'elicitation/create',
      ({ params }) => answers.elicit?.(params as never) as never,
    );
  if (capabilities['sampling'] !== undefined)
    client.setRequestHandler(
      'sampling/createMessage',
      ({ params }) => answers.sample?.(params as never) as never,
    );
  if (capabilities['roots'] !== undefined)
    client.setRequestHandler('roots/list', () => answers.roots?.() as never);
  return client as unknown as OfficialClient;
}

/** A client over HTTP, with additional headers. */
export async function connectOverHttp(
  name: ClientName,
  url: string,
  { headers = {}, capabilities }: { headers?: Record<string, string>; capabilities?: Capabilities } = {},
): Promise<ServedClient> {
  const client = createClient(name, capabilities);
  const Transport = name === 'v1' ? HttpV1 : HttpV2;
  await client.connect(new Transport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** A client in memory. */
export async function connectDirectly(
  name: ClientName,
  server: ToolwrightServer,
  caller: Caller = {},
): Promise<ServedClient> {
  const client = createClient(name);
  await client.connect(connectInMemory(server, caller));
  return client;
}

/** A new scenario server and a connected client. Closing the client ends both. */
export async function openScenario(
  { client: name, transport }: Combination,
  capabilities?: Capabilities,
): Promise<ServedClient> {
  if (transport === 'stdio' || transport === 'dev') {
    const client = createClient(name, capabilities);
    const Transport = name === 'v1' ? StdioV1 : StdioV2;
    const { scenario, cli, server: file } = await bundleScenarioServer();
    const args = transport === 'dev' ? [cli, 'dev', file] : [scenario];
    await client.connect(new Transport({ command: process.execPath, args, stderr: 'inherit' }));
    return client;
  }
  if (transport === 'HAProxy') return openBalanced(name, capabilities);
  const server = createScenarioServer();
  if (transport === 'memory') {
    const client = createClient(name, capabilities);
    client.onClose(() => server.close());
    await client.connect(connectInMemory(server));
    return client;
  }
  const running = await serveHttp(server, { port: 0 });
  const client = await connectOverHttp(name, running.url, capabilities === undefined ? {} : { capabilities });
  client.onClose(async () => {
    await running.close();
    await server.close();
  });
  return client;
}

/** A client of three nodes behind a balancer. Closing the client ends them, and checks that no two requests in a row went to the same node. */
async function openBalanced(name: ClientName, capabilities?: Capabilities): Promise<ServedClient> {
  const nodes = await BalancedNodes.start();
  const client = await connectOverHttp(name, nodes.url, capabilities === undefined ? {} : { capabilities });
  client.onClose(async () => {
    await nodes[Symbol.asyncDispose]();
    const { hops } = nodes;
    expect(hops.length).toBeGreaterThan(1);
    expect(hops.filter((node, at) => node === hops[at - 1])).toEqual([]);
  });
  return client;
}

/** The same for all tests of a `describe`. */
export function useScenario(combination: Combination, capabilities?: Capabilities): () => ServedClient {
  let client: ServedClient | undefined;
  beforeAll(async () => {
    client = await openScenario(combination, capabilities);
  });
  afterAll(async () => {
    await client?.close();
  });
  return () => {
    if (client === undefined) throw new Error('the client is not connected');
    return client;
  };
}
