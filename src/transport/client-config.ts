import { didYouMean } from '../errors/nearest-names.ts';
import { DefinitionError } from '../errors/errors.ts';
import { SNIPPETS } from './client-snippets.ts';
import type { Reach } from './client-snippets.ts';

/** Settings of a client for one server, returned by {@link formatClientConfig}. */
export interface ClientConfig {
  /** Where the text belongs: a file of settings, or a command line. */
  readonly where: string;
  readonly text: string;
}

/** A server as clients reach it: by a command that they start, or by a URL. */
export type ReachableServer = Reach & {
  /** Name of the server in the settings of the client. */
  readonly name: string;
};

/**
 * Formats the settings with which a client reaches a server. Clients start a command in their own working directory and environment: use
 * absolute paths. The clients are `claude-code`, `claude-desktop`, `codex`, `cursor` and `vscode`; for other names, it throws a
 * `DefinitionError` that lists them.
 *
 * @example
 * formatClientConfig('cursor', { name: 'notes', command: process.execPath, args: ['/opt/notes/main.js'] }).text;
 */
export function formatClientConfig(client: string, { name, ...reach }: ReachableServer): ClientConfig {
  const snippet = Object.hasOwn(SNIPPETS, client) ? SNIPPETS[client] : undefined;
  if (snippet !== undefined) return { where: snippet.where, text: snippet.write(name, reach) };
  throw new DefinitionError(describeUnknownClient(client), {
    option: 'client',
    expected: Object.keys(SNIPPETS),
    received: client,
  });
}

/** The message for a client without settings. */
export function describeUnknownClient(client: string): string {
  const names = Object.keys(SNIPPETS);
  return `Unknown client "${client}".${didYouMean(client, names)} Clients: ${names.join(', ')}.`;
}
