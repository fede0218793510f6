import { readFileSync } from 'node:fs';
import { sep } from 'node:path';
import type { ServeHttpOptions } from '../../transport/http/serve-http.ts';
import type { Reach } from '../../transport/client-snippets.ts';
import { UsageError } from '../terminal/command.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Listening on these means every address of the machine, and is not an address itself. */
const EVERYWHERE: ReadonlySet<string> = new Set(['', '0.0.0.0', '::', '[::]']);

/** How a client on this machine reaches a server that is served over HTTP. */
export function reachOverHttp(options: ServeHttpOptions): Reach {
  const { host = '127.0.0.1', port = 3000, path = '/mcp' } = options;
  if (port === 0)
    throw new UsageError(
      'Port 0 is another one at every start, and a client has to know it. Choose one: --port 3000',
    );
  const named = EVERYWHERE.has(host) ? '127.0.0.1' : host;
  const shown = named.includes(':') && !named.startsWith('[') ? `[${named}]` : named;
  return { url: `http://${shown}:${port}${path}` };
}

/**
 * How a client starts a server from a file. With this very program: another copy of the package would not know the classes that the file
 * is made with. Clients have another folder and another environment, so that paths are whole and variables are listed.
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

/** What npx has fetched for one call is thrown away some day. */
function isLasting(file: string): boolean {
  return !file.includes(`${sep}_npx${sep}`);
}

/** The variables that a configuration names, in the order of the file. */
function findVariables(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/\$?\$\{env:([A-Za-z_]\w*)\}/g);
  const names = Array.from(found, ([reference, name = '']) => (reference.startsWith('$$') ? '' : name));
  return [...new Set(names)].filter((name) => name !== '');
}
