import { readFileSync } from 'node:fs';
import { sep } from 'node:path';
import type { ServeHttpOptions } from '../../transport/http/serve-http.ts';
import type { Reach } from '../../transport/client-snippets.ts';
import { UsageError } from '../terminal/command.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Wildcard addresses: the server listens on all addresses of the machine. */
const EVERYWHERE: ReadonlySet<string> = new Set(['', '0.0.0.0', '::', '[::]']);

/** The URL at which a client on this machine reaches a server that is served over HTTP. */
export function reachOverHttp(options: ServeHttpOptions): Reach {
  const { host = '127.0.0.1', port = 3000, path = '/mcp' } = options;
  if (port === 0)
    throw new UsageError(
      'Port 0 picks another port at every start, so a client cannot be configured for it. Choose a fixed port: --port 3000',
    );
  const named = EVERYWHERE.has(host) ? '127.0.0.1' : host;
  const shown = named.includes(':') && !named.startsWith('[') ? `[${named}]` : named;
  return { url: `http://${shown}:${port}${path}` };
}

/**
 * The command with which a client starts the server of a file. It uses the running copy of the package, because a second copy has other
 * classes than those the file imports. Paths are absolute and variables are listed, because clients have their own working directory and
 * environment.
 */
export function reachByCommand(file: string, { program }: Terminal): Reach {
  const args = ['serve', file, '--stdio'];
  const names = findVariables(file);
  const env = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
  return {
    ...(program !== undefined && isLasting(program[1])
      ? { command: program[0], args: [program[1], ...args] }
      : { command: 'npx', args: ['-y', 'toolwright', ...args] }),
    ...(names.length === 0 ? {} : { env }),
  };
}

/** False for the cache of npx, which may be deleted. */
function isLasting(file: string): boolean {
  return !file.includes(`${sep}_npx${sep}`);
}

/** Names of the environment variables that a configuration uses, in the order of the file. */
function findVariables(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/\$?\$\{env:([A-Za-z_]\w*)\}/g);
  const names = Array.from(found, ([reference, name = '']) => (reference.startsWith('$$') ? '' : name));
  return [...new Set(names)].filter((name) => name !== '');
}
