import { realpathSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import type { ServeHttpOptions } from '../../transport/http/serve-http.ts';
import { quote } from '../../transport/client-snippets.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The URL of a running server, and the options it was started with. */
interface Serving {
  readonly url: string;
  readonly options: ServeHttpOptions;
}

/** A command for another terminal that lists the server; undefined if no local host name is allowed. */
export function findTryLine({ url, options }: Serving, terminal: Terminal): string | undefined {
  const local = findLocalUrl(new URL(url), options);
  return local === undefined ? undefined : `${ownCommand(terminal)} list ${quote(local)}`;
}

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

/** A URL of this machine whose host is allowed. */
function findLocalUrl(url: URL, { allowedHosts }: ServeHttpOptions): string | undefined {
  const own = EVERYWHERE.has(url.hostname) ? '127.0.0.1' : url.hostname;
  const candidates = [own, '127.0.0.1', 'localhost'].map((host) => {
    const candidate = new URL(url);
    candidate.hostname = host;
    return candidate;
  });
  const found = candidates.find(
    ({ hostname, host }) =>
      allowedHosts === undefined || allowedHosts.includes(hostname) || allowedHosts.includes(host),
  );
  return found?.href;
}

/** The command that starts this copy of the program: its name if that resolves to this copy, otherwise Node with its file. */
function ownCommand({ program, cwd, env }: Terminal): string {
  if (program === undefined) return 'npx toolwright';
  const [, file] = program;
  const leadsHere = (folder: string): boolean => isLink(join(folder, 'toolwright'), file);
  if (file.includes(`${sep}_npx${sep}`) || foldersUp(cwd).some((folder) => leadsHere(join(folder, BIN))))
    return 'npx toolwright';
  // npm adds the bin folders of the project to PATH while one of its scripts runs; another terminal does not have them.
  const path = (env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.endsWith(BIN));
  return path.some(leadsHere) ? 'toolwright' : `node ${quote(file)}`;
}

const BIN = join('node_modules', '.bin');

function foldersUp(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUp(parent)];
}

function isLink(link: string, file: string): boolean {
  try {
    return realpathSync(link) === file;
  } catch {
    return false;
  }
}
