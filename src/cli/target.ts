import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { linkToUrl } from '../client/http-link.ts';
import type { Link } from '../client/link.ts';
import { linkInMemory } from '../client/memory-link.ts';
import { connectClient } from '../client/rpc-client.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { linkToCommand } from '../client/stdio-link.ts';
import { loadConfig } from '../config/load-config.ts';
import type { TransportConfig } from '../config/config-types.ts';
import { CONFIG_NAMES, findConfigFile, importTypeScript } from '../config/read-config-file.ts';
import { DefinitionError } from '../errors/errors.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { createServer, ToolwrightServer } from '../server/create-server.ts';
import { textFlags, UsageError } from './command.ts';
import type { CommandCall, Flag } from './command.ts';
import { VERSION } from './version.ts';

/** How a server is named on the command line; for the help. */
export const TARGET_HELP = `A target is a configuration or a module (./server.js), a URL (http://127.0.0.1:3000/mcp), or a command behind
"--" that starts a server on standard input and output. Without one, it is toolwright.config.* of this folder.`;

/** Flags of commands that talk to a server. */
export const TARGET_FLAGS: Readonly<Record<string, Flag>> = {
  header: {
    type: 'string',
    short: 'H',
    value: 'name: value',
    isMultiple: true,
    description: 'A header for a URL, such as "Authorization: Bearer …"',
  },
  json: { type: 'boolean', description: 'Print JSON, for scripts' },
};

/** A server in this process, and how it wants to be served. */
export interface LoadedServer {
  readonly server: ToolwrightServer;
  readonly transport: TransportConfig | undefined;
  readonly file: string;
  close(): Promise<void>;
}

/** Whether a word on the command line names a server. */
export function isTarget(word: string | undefined): word is string {
  if (word === undefined) return false;
  return /^https?:\/\//i.test(word) || /^\.{0,2}\//.test(word) || isFile(resolve(word));
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Connects to the server that a command line names, and gives the words that are left. */
export async function connectTarget(
  call: CommandCall,
): Promise<{ client: RpcClient; rest: readonly string[] }> {
  const [first, ...others] = call.positionals;
  const hasTarget = call.command.length === 0 && isTarget(first);
  const { link, close } = await openLink(call, hasTarget ? first : undefined);
  try {
    const client = await connectClient(link, { name: 'toolwright-cli', version: VERSION });
    closers.set(client, close);
    return { client, rest: hasTarget ? others : call.positionals };
  } catch (error) {
    await link.close().catch(() => {});
    await close();
    throw error;
  }
}

/** What has to be closed with a client. */
const closers = new WeakMap<RpcClient, () => Promise<void>>();

/** Hangs up, and stops what was started for it. */
export async function disconnect(client: RpcClient): Promise<void> {
  await client.close();
  await closers.get(client)?.();
}

async function openLink(
  call: CommandCall,
  target: string | undefined,
): Promise<{ link: Link; close: () => Promise<void> }> {
  const [command, ...args] = call.command;
  if (command !== undefined) return { link: linkToCommand(command, args), close: async () => {} };
  if (target !== undefined && /^https?:\/\//i.test(target)) {
    if (!URL.canParse(target)) throw new UsageError(`${target} is no URL.`);
    return {
      link: linkToUrl(new URL(target), readHeaders(textFlags(call, 'header'))),
      close: async () => {},
    };
  }
  const loaded = await loadServer(target, call.terminal.cwd);
  return { link: linkInMemory(loaded.server), close: () => loaded.close() };
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1) throw new UsageError(`--header takes "name: value"; it got "${line}".`);
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

/** Loads a configuration, or a module that exports a server. */
export async function loadServer(given: string | undefined, cwd: string): Promise<LoadedServer> {
  const file = given === undefined ? findConfigFile(cwd) : resolve(cwd, given);
  if (file === undefined) {
    throw new UsageError(
      `There is no configuration in this folder (${CONFIG_NAMES.join(', ')}). Name a file, a URL, or a command behind "--".`,
    );
  }
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
  const exported = await importDefault(file);
  const server = exported instanceof ToolRegistry ? serverOf(exported) : exported;
  if (server instanceof ToolwrightServer)
    return { server, transport: undefined, file, close: () => server.close() };
  const configured = await loadConfig(file);
  return {
    server: configured.server,
    transport: configured.transport,
    file,
    close: () => configured.close(),
  };
}

/** The default export of a module; undefined for data, which is a configuration in any case. */
async function importDefault(file: string): Promise<unknown> {
  const end = extname(file);
  if (!/^\.[mc]?[jt]s$/.test(end)) return undefined;
  const loaded = (await (end.endsWith('ts') ? importTypeScript(file) : import(pathToFileURL(file).href))) as {
    default?: unknown;
  };
  if (loaded.default === undefined) {
    throw new DefinitionError(
      `${file} has no default export. Export the server (export default createServer({ … })), or start it as a command: -- node ${file}`,
    );
  }
  return loaded.default;
}

function serverOf(registry: ToolRegistry): ToolwrightServer {
  return createServer({ name: registry.name, version: '0.0.0', tools: registry });
}
