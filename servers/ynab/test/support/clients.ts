import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ToolwrightServer } from 'toolwright';
import { custom } from 'toolwright/auth';
import { serveHttp } from 'toolwright/http';
import type { BudgetContext } from '../../src/context.ts';

/** An official client: SDK v1 or v2. */
export type OfficialClient = Client | ClientV1;

export const VERSIONS = ['v1', 'v2'] as const;
export type ClientVersion = (typeof VERSIONS)[number];

export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool, and returns its text; a reconciliation has two, in words and as JSON. */
export async function callTool(
  client: OfficialClient,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<CallResult> {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } });
  const blocks = content as readonly { readonly type: string; readonly text?: string }[];
  if (blocks.length === 0 || blocks.some(({ type }) => type !== 'text'))
    throw new Error(`no text: ${JSON.stringify(blocks)}`);
  return { text: blocks.map(({ text }) => text).join('\n\n'), isError: isError === true };
}

/** {@link callTool} for a call that must succeed, with its JSON. */
export async function callJson<TResult>(
  client: OfficialClient,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<TResult> {
  const { text, isError } = await callTool(client, name, args);
  if (isError) throw new Error(text);
  return JSON.parse(text) as TResult;
}

/** Serves over HTTP. The bearer token of a request is the access token of the budget API. */
export function serveWithTokens(
  server: ToolwrightServer<BudgetContext>,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const verify = custom(({ headers }) => {
    const [, token] = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '') ?? [];
    if (token === undefined) return undefined;
    return { kind: 'verified', principal: { id: token.slice(-3) }, accessToken: token };
  });
  return serveHttp(server, { port: 0, auth: { verify, resource: 'http://127.0.0.1/mcp' } });
}

export async function connectHttp(
  version: ClientVersion,
  url: string,
  token: string,
): Promise<OfficialClient> {
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  if (version === 'v1') {
    const client = new ClientV1({ name: 'test', version: '1.0.0' });
    await client.connect(new HttpV1(new URL(url), options));
    return client;
  }
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
  return client;
}

/** Starts a process and connects to it over standard input and output. */
export async function connectStdio(
  version: ClientVersion,
  started: {
    readonly command: string;
    readonly args: string[];
    readonly env: Record<string, string>;
    readonly stderr: 'pipe';
  },
): Promise<{ readonly client: OfficialClient; readonly log: () => string }> {
  const transport = version === 'v1' ? new StdioV1(started) : new StdioClientTransport(started);
  let printed = '';
  transport.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const client =
    version === 'v1'
      ? new ClientV1({ name: 'test', version: '1.0.0' })
      : new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return { client, log: () => printed };
}
