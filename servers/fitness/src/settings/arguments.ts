import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

const OPTIONS = {
  http: { type: 'boolean', default: false },
  port: { type: 'string', default: '3003' },
  host: { type: 'string', default: '127.0.0.1' },
  'allow-host': { type: 'string', multiple: true, default: [] },
  'public-url': { type: 'string' },
  'print-client-config': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const satisfies ParseArgsConfig['options'];

/** Addresses that only this machine can reach. */
const LOCAL: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);

const HTTP_ONLY: ReadonlySet<string> = new Set(['port', 'host', 'allow-host', 'public-url']);

/** The command line of the server. */
export interface Arguments {
  readonly http: boolean;
  readonly port: number;
  readonly host: string;
  readonly allowHost: readonly string[];
  /** URL of the endpoint as clients know it. */
  readonly publicUrl: string;
  /** Set to print how to add the server to this client. */
  readonly client: string | undefined;
  readonly help: boolean;
}

/** Reads the command line. Throws an error that names the option, its value and the allowed values. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    tokens: true,
  });
  const [unexpected] = positionals;
  if (unexpected !== undefined)
    throw new Error(`Unknown command "${unexpected}": use a command or an option of --help.`);
  const stray = tokens.find((token) => token.kind === 'option' && HTTP_ONLY.has(token.name));
  if (stray?.kind === 'option' && !values.http) throw new Error(`--${stray.name} needs --http.`);
  const { http, host } = values;
  if (!LOCAL.has(host) && values['allow-host'].length === 0)
    throw new Error(
      `--host ${host} can be reached from other machines: name the host names of the server, such as --allow-host fitness.example.com.`,
    );
  const port = readPort(values.port);
  return {
    http,
    port,
    host,
    allowHost: values['allow-host'],
    publicUrl: readUrl(
      values['public-url'] ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`,
    ),
    client: values['print-client-config'],
    help: values.help,
  };
}

function readPort(given: string): number {
  const port = Number(given);
  if (/^\d+$/.test(given) && port <= 65_535) return port;
  throw new Error(`--port must be an integer from 0 to 65535; received "${given}".`);
}

function readUrl(given: string): string {
  if (/^https?:/.test(given) && URL.canParse(given)) return given;
  throw new Error(`--public-url must be an address such as https://example.com/mcp; received "${given}".`);
}
