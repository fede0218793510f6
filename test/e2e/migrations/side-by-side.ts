import { join } from 'node:path';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { assertBuilt, ROOT } from '../../support/dist.ts';
import { createClient } from '../../support/served-clients.ts';
import type { Capabilities, ServedClient } from '../../support/served-clients.ts';

/** A call of a tool: its name and its arguments. */
export type Call = readonly [tool: string, args: object];

/** A result, or a JSON-RPC error, as a caller sees it. */
export type Outcome = Readonly<Record<string, unknown>>;

/** A server and a client. */
export interface Run {
  readonly server: 'theirs' | 'ours';
  readonly client: 'v1' | 'v2 auto';
}

/** The published server is the reference; ours is called in both eras of the protocol. */
export const RUNS: readonly Run[] = [
  { server: 'theirs', client: 'v1' },
  { server: 'ours', client: 'v1' },
  { server: 'ours', client: 'v2 auto' },
];

export interface Options {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly capabilities?: Capabilities;
  readonly roots?: () => object;
  /** Receives standard error of the process. */
  readonly onLog?: (text: string) => void;
}

/** Starts a server as a client does: in its own process, over stdio. */
export async function start(
  name: 'memory' | 'filesystem',
  run: Run,
  options: Options = {},
): Promise<ServedClient> {
  assertBuilt();
  const { args = [], env = {}, capabilities = {}, roots, onLog } = options;
  const file =
    run.server === 'theirs'
      ? join(ROOT, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)
      : join(ROOT, `servers/${name}/dist/main.js`);
  const client = createClient(run.client, capabilities);
  if (roots !== undefined) client.answers.roots = roots;
  const Transport = run.client === 'v1' ? StdioV1 : StdioV2;
  const transport = new Transport({
    command: process.execPath,
    args: [file, ...args],
    env: { ...env },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => onLog?.(chunk.toString()));
  await client.connect(transport);
  return client;
}

/** Makes calls one after the other. */
export async function callAll(client: ServedClient, calls: readonly Call[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [tool, args] of calls) outcomes.push(await callOne(client, tool, args));
  return outcomes;
}

/** A result without `_meta`, where Toolwright has the code of an error; a client of 2026-07-28 adds `resultType`. */
export async function callOne(client: ServedClient, tool: string, args: object): Promise<Outcome> {
  try {
    const { _meta, ...result } = await client.callTool(tool, args);
    return Object.fromEntries(Object.entries(result).filter(([key]) => key !== 'resultType'));
  } catch (error) {
    const { code, message } = error as { code: number; message: string };
    return { code, message };
  }
}

/** The list of tools without intentional differences: the dialect of schemas, and the statement that no tool runs as a task. */
export async function listTools(client: ServedClient): Promise<unknown> {
  const onPurpose = new Set(['$schema', 'execution']);
  const tools = JSON.stringify(await client.listTools(), (key, value: unknown) =>
    onPurpose.has(key) ? undefined : value,
  );
  return JSON.parse(tools) as unknown;
}
