import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import type { RunnerName } from '../domain/detect-runner.ts';
import { RUNNER_NAMES } from '../runners.ts';

/** The same relative path from `src/` and from `dist/`. */
export const SAMPLE: string = fileURLToPath(new URL('../../sample', import.meta.url));

const OPTIONS = {
  runner: { type: 'string' },
  timeout: { type: 'string' },
  'max-timeout': { type: 'string', default: '3600' },
  'max-runs': { type: 'string', default: '4' },
  'pass-env': { type: 'string', multiple: true, default: [] },
  watch: { type: 'boolean', default: false },
  http: { type: 'boolean', default: false },
  port: { type: 'string', default: '3002' },
  host: { type: 'string', default: '127.0.0.1' },
  'allow-host': { type: 'string', multiple: true, default: [] },
  keys: { type: 'string' },
  'add-key': { type: 'string' },
  'print-client-config': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const satisfies ParseArgsConfig['options'];

const HTTP_ONLY: ReadonlySet<string> = new Set(['port', 'host', 'allow-host']);
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** The command line. */
export interface Arguments {
  /** Absolute path of the project. */
  readonly folder: string;
  /** Default: detected. */
  readonly runner: RunnerName | undefined;
  /** In seconds. */
  readonly timeout: number;
  readonly maxTimeout: number;
  readonly maxRuns: number;
  readonly passEnv: readonly string[];
  readonly watch: boolean;
  readonly http: boolean;
  readonly port: number;
  readonly host: string;
  readonly allowHost: readonly string[];
  readonly keys: string | undefined;
  readonly addKey: string | undefined;
  readonly client: string | undefined;
  readonly help: boolean;
  /** The given options, without those that print and exit. */
  readonly options: readonly string[];
}

/** The URL of the server over HTTP. */
export function toUrl({ host, port }: Pick<Arguments, 'host' | 'port'>): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`;
}

/** Reads the command line. Throws an error that names the option, its value and the allowed values. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    tokens: true,
  });
  if (positionals.length > 1)
    throw new Error(`Unexpected argument "${positionals[1]}": the server runs the tests of one folder.`);
  const folder = resolve(positionals[0] ?? SAMPLE);
  if (!isFolder(folder)) throw new Error(`The folder ${folder} does not exist.`);
  if (values.keys !== undefined && !values.http && values['add-key'] === undefined)
    throw new Error('--keys needs --http: over standard input and output there is only one caller.');
  const http = tokens.find((token) => token.kind === 'option' && HTTP_ONLY.has(token.name));
  if (http?.kind === 'option' && !values.http) throw new Error(`--${http.name} needs --http.`);
  if (!LOOPBACK.has(values.host) && values.keys === undefined)
    throw new Error(`--host ${values.host} needs --keys: calls run the code of the project on this machine.`);
  const maxTimeout = readInteger('max-timeout', values['max-timeout'], [1, 86_400]);
  return {
    folder,
    maxTimeout,
    runner: readRunner(values.runner),
    timeout: readInteger('timeout', values.timeout ?? String(Math.min(300, maxTimeout)), [1, maxTimeout]),
    maxRuns: readInteger('max-runs', values['max-runs'], [1, 64]),
    passEnv: values['pass-env'].map(readVariable),
    port: readInteger('port', values.port, [0, 65_535]),
    watch: values.watch,
    http: values.http,
    host: values.host,
    keys: values.keys,
    help: values.help,
    allowHost: values['allow-host'],
    addKey: values['add-key'],
    client: values['print-client-config'],
    options: tokens.flatMap((token) =>
      token.kind === 'option' && token.name !== 'print-client-config'
        ? [token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`]
        : [],
    ),
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function readRunner(given: string | undefined): RunnerName | undefined {
  const found = RUNNER_NAMES.find((name) => name === given);
  if (given === undefined || found !== undefined) return found;
  throw new Error(`--runner must be one of ${RUNNER_NAMES.join(', ')}; received "${given}".`);
}

function readVariable(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw new Error(`--pass-env must be the name of a variable; received "${name}".`);
}

function readInteger(option: string, given: string, [min, max]: readonly [number, number]): number {
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= min && value <= max) return value;
  throw new Error(`--${option} must be an integer from ${min} to ${max}; received "${given}".`);
}
