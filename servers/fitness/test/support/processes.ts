import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createClient } from './clients.ts';
import type { OfficialClient, Opening } from './clients.ts';

export const MAIN: string = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
if (!existsSync(MAIN)) throw new Error('servers/fitness/dist is missing: run `npm run build` first');

export type Variables = Readonly<Record<string, string>>;

function withBasics(variables: Variables): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...variables };
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program until it exits, such as an administrative command. */
export async function run(args: readonly string[], variables: Variables): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: withBasics(variables) };
    const child = execFile(process.execPath, [MAIN, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

/** {@link run} for a command that must succeed. Returns the first line of its output. */
export async function command(args: readonly string[], variables: Variables): Promise<string> {
  const { code, stdout, stderr } = await run(args, variables);
  if (code !== 0) throw new Error(stderr);
  return stdout.split('\n', 1)[0] ?? '';
}

/** Starts a server and connects to it over standard input and output. */
export async function connectStdio(
  opening: Opening,
  variables: Variables,
): Promise<{ readonly client: OfficialClient; readonly pid: number }> {
  const started = { command: process.execPath, args: [MAIN], env: withBasics(variables) };
  const transport = opening.version === 'v1' ? new StdioV1(started) : new StdioClientTransport(started);
  const client = createClient(opening);
  await client.connect(transport);
  return { client, pid: transport.pid ?? -1 };
}

export interface HttpProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Ends the server, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a server over HTTP on a free port. */
export async function startHttp(variables: Variables): Promise<HttpProcess> {
  const child = spawn(process.execPath, [MAIN, '--http', '--port', '0'], {
    env: withBasics(variables),
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
  const exited = once(child, 'exit');
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return ((await exited) as [number | null])[0];
  };
  return { url, child, stop };
}
