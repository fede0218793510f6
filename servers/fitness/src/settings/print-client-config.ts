import { resolve } from 'node:path';
import { formatClientConfig } from 'toolwright/stdio';
import type { ClientConfig } from 'toolwright/stdio';
import type { Arguments } from './arguments.ts';
import type { Environment } from './environment.ts';
import type { Settings } from './settings.ts';

const SECRETS: ReadonlySet<string> = new Set(['FITNESS_KEY', 'FITNESS_STRAVA_CLIENT_SECRET']);

interface Installation {
  readonly client: string;
  /** Absolute path of the program. */
  readonly main: string;
  readonly given: Arguments;
  readonly settings: Settings;
  readonly environment: Environment;
}

/**
 * Formats the settings with which a client starts or reaches the server. Clients start it in a folder and an environment of their own, so
 * paths are absolute and variables are listed. Secrets are placeholders.
 */
export function toClientConfig({ client, main, given, settings, environment }: Installation): ClientConfig {
  if (given.http && given.port === 0)
    throw new Error('--print-client-config needs a fixed port; received --port 0.');
  const reach = given.http
    ? { url: given.publicUrl }
    : { command: process.execPath, args: [main], env: toVariables(settings, environment) };
  return formatClientConfig(client, { name: 'fitness', ...reach });
}

function toVariables(
  { databaseFile, filesFolder }: Settings,
  environment: Environment,
): Record<string, string> {
  const given = Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    (name.startsWith('FITNESS_') || name === 'LOG_LEVEL') && value
      ? [[name, SECRETS.has(name) ? `<${name}>` : value]]
      : [],
  );
  return {
    ...Object.fromEntries(given),
    FITNESS_DATABASE: resolve(databaseFile),
    ...(filesFolder === undefined ? {} : { FITNESS_FILES: resolve(filesFolder) }),
  };
}
