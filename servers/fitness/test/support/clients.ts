import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { connectInMemory } from 'toolwright';
import type { McpContentBlock, Principal, ToolwrightServer } from 'toolwright';
import type { FitnessContext } from '../../src/context.ts';

/** An official client: SDK v1 or v2. */
export type OfficialClient = Client | ClientV1;

export const VERSIONS = ['v1', 'v2'] as const;
export type ClientVersion = (typeof VERSIONS)[number];

type Args = Readonly<Record<string, unknown>>;

export interface CallResult {
  /** The first block. */
  readonly text: string;
  readonly blocks: readonly McpContentBlock[];
  readonly isError: boolean;
}

/** Calls a tool. */
export async function callTool(client: OfficialClient, name: string, args: Args = {}): Promise<CallResult> {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } });
  const blocks = content as readonly McpContentBlock[];
  const [first] = blocks;
  if (first?.type !== 'text') throw new Error(`no text: ${JSON.stringify(blocks)}`);
  return { text: first.text, blocks, isError: isError === true };
}

/** {@link callTool} for a call that must succeed, with its JSON. */
export async function callJson<TResult>(
  client: OfficialClient,
  name: string,
  args: Args = {},
): Promise<TResult> {
  const { text, isError } = await callTool(client, name, args);
  if (isError) throw new Error(text);
  return JSON.parse(text) as TResult;
}

/** Reads a resource, and returns its JSON. */
export async function readJson<TResult>(client: OfficialClient, uri: string): Promise<TResult> {
  const { contents } = await client.readResource({ uri });
  return JSON.parse((contents[0] as { readonly text: string }).text) as TResult;
}

/** The response of the user who is asked to open an address. */
export type OpenUrl = (url: string) => Promise<'accept' | 'decline' | 'cancel'>;

export interface Opening {
  readonly version: ClientVersion;
  /** Default: the client cannot open addresses. */
  readonly openUrl?: OpenUrl | undefined;
  /** Called with the new list after each announced change. Default: the client does not subscribe. */
  readonly onTools?: ((names: readonly string[]) => void) | undefined;
}

const INFO = { name: 'test', version: '1.0.0' };

export function createClient({ version, openUrl, onTools }: Opening): OfficialClient {
  const listChanged = {
    tools: {
      debounceMs: 0,
      onChanged: (_: Error | null, tools: readonly { readonly name: string }[] | null) =>
        onTools?.((tools ?? []).map(({ name }) => name)),
    },
  };
  const options = onTools === undefined ? {} : { listChanged };
  const capabilities = openUrl === undefined ? {} : { elicitation: { url: {} } };
  const respond = async ({
    params,
  }: {
    params: object;
  }): Promise<{ action: Awaited<ReturnType<OpenUrl>> }> => {
    if (openUrl === undefined || !('url' in params)) throw new Error('Expected an address.');
    return { action: await openUrl(String(params.url)) };
  };
  if (version === 'v1') {
    const client = new ClientV1(INFO, { capabilities, ...options });
    if (openUrl !== undefined) client.setRequestHandler(ElicitRequestSchema, respond);
    return client;
  }
  const client = new Client(INFO, { capabilities, ...options, versionNegotiation: { mode: 'auto' } });
  if (openUrl !== undefined) client.setRequestHandler('elicitation/create', respond);
  return client;
}

/** Connects in memory, as over standard input and output. */
export async function connectMemory(
  opening: Opening,
  server: ToolwrightServer<FitnessContext>,
  principal: Principal | undefined,
): Promise<OfficialClient> {
  const client = createClient(opening);
  await client.connect(connectInMemory(server, principal === undefined ? {} : { principal }));
  return client;
}

export async function connectHttp(opening: Opening, url: string, token?: string): Promise<OfficialClient> {
  const options =
    token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  const client = createClient(opening);
  const address = new URL(url);
  await client.connect(
    opening.version === 'v1'
      ? new HttpV1(address, options)
      : new StreamableHTTPClientTransport(address, options),
  );
  return client;
}
