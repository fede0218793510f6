import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { getInterpreter } from './pytest.ts';

/** An official client: SDK v1 or v2. */
export type OfficialClient = Client | ClientV1;

export const VERSIONS = ['v1', 'v2'] as const;
export type ClientVersion = (typeof VERSIONS)[number];

export const MAIN: string = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
if (!existsSync(MAIN)) throw new Error('servers/test-runner/dist is missing: run `npm run build` first');

export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

type Args = Readonly<Record<string, unknown>>;

/** Calls a tool. `data`: the structured content, or the data of an error. */
export async function callTool(client: OfficialClient, name: string, args: Args = {}): Promise<CallResult> {
  return toCallResult(await client.callTool({ name, arguments: { ...args } }));
}

export interface WatchedCall {
  readonly name: string;
  readonly args: Args;
  readonly onMessage?: (message: string) => void;
  readonly signal?: AbortSignal;
}

/** {@link callTool} with the messages of its progress, and a signal that cancels it. */
export async function watchTool(
  client: OfficialClient,
  { name, args, onMessage, signal }: WatchedCall,
): Promise<CallResult> {
  const call = { name, arguments: { ...args } };
  const options = {
    ...(signal === undefined ? {} : { signal }),
    onprogress: ({ message }: { message?: string | undefined }) => onMessage?.(message ?? ''),
  };
  if (client instanceof ClientV1) return toCallResult(await client.callTool(call, undefined, options));
  return toCallResult(await client.callTool(call, options));
}

function toCallResult(result: Readonly<Record<string, unknown>>): CallResult {
  const texts = (result['content'] as { text: string }[]).map(({ text }) => text);
  const isError = result['isError'] === true;
  const data = isError ? parse(texts[1]) : result['structuredContent'];
  return { text: texts.join('\n\n'), isError, data: (data ?? {}) as CallResult['data'] };
}

function parse(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

function createClient(version: ClientVersion): OfficialClient {
  if (version === 'v1') return new ClientV1({ name: 'test', version: '1.0.0' });
  return new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
}

/** The environment of a server in tests: the interpreter with pytest, without plugins that happen to be installed. */
export async function createServerEnvironment(
  extra: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const { PATH = '', HOME = '' } = process.env;
  const { path } = await getInterpreter();
  return { PATH, HOME, PYTEST_PYTHON: path, PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1', ...extra };
}

const PASSED = ['--pass-env', 'PYTEST_DISABLE_PLUGIN_AUTOLOAD'];

/** Starts a server and connects to it over standard input and output. */
export async function connectStdio(
  version: ClientVersion,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<{ readonly client: OfficialClient; readonly pid: number }> {
  const started = {
    command: process.execPath,
    args: [MAIN, ...args, ...PASSED],
    env: await createServerEnvironment(env),
  };
  const transport = version === 'v1' ? new StdioV1(started) : new StdioClientTransport(started);
  const client = createClient(version);
  await client.connect(transport);
  return { client, pid: transport.pid ?? -1 };
}

/** Connects to a server over HTTP. */
export async function connectHttp(
  version: ClientVersion,
  url: string,
  key?: string,
): Promise<OfficialClient> {
  const options = key === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } };
  const client = createClient(version);
  const address = new URL(url);
  await client.connect(
    version === 'v1' ? new HttpV1(address, options) : new StreamableHTTPClientTransport(address, options),
  );
  return client;
}

export interface HttpProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Ends the server with SIGTERM. */
  stop(): Promise<void>;
}

/** Starts a server over HTTP on a free port. */
export async function startHttp(
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<HttpProcess> {
  const child = spawn(process.execPath, [MAIN, ...args, ...PASSED, '--http', '--port', '0'], {
    env: await createServerEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(printed)?.[0];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${printed}`)));
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { url, child, stop };
}
