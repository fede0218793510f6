import { parseDisabledTools } from '../gate/disabled-tools.ts';
import { createReader } from './environment.ts';
import type { Environment } from './environment.ts';

/** The form in which clients see the tools: one by one, one tool for each category, three search tools, or one by one unless the list is long. */
export const EXPOSURES = ['flat', 'grouped', 'search', 'auto'] as const;
export type FitnessExposure = (typeof EXPOSURES)[number];

/** The Strava application of the operator. */
export interface StravaApplication {
  /** `FITNESS_STRAVA_CLIENT_ID`. */
  readonly clientId: string;
  /** `FITNESS_STRAVA_CLIENT_SECRET`. */
  readonly clientSecret: string;
  /** `FITNESS_STRAVA_CALLBACK_PORT`. Default: 0, any free port. */
  readonly callbackPort: number;
  /** `FITNESS_STRAVA_REQUESTS_15_MIN` and `FITNESS_STRAVA_REQUESTS_DAY`. Default: the limits of Strava. */
  readonly limits: { readonly quarterHour?: number; readonly day?: number };
}

/** The settings of the server, from environment variables. */
export interface Settings {
  /** `FITNESS_DATABASE`: the file of the database. Default: `.data/fitness.db`. */
  readonly databaseFile: string;
  /** `FITNESS_USER`: the caller over standard input and output, and the owner of `FITNESS_FILES`. */
  readonly user: string | undefined;
  /** `FITNESS_FILES`: the folder of GPX, TCX and FIT files. */
  readonly filesFolder: string | undefined;
  /** `FITNESS_KEY`: encrypts the tokens of providers. 32 bytes in Base64. */
  readonly key: string | undefined;
  /** Undefined without `FITNESS_STRAVA_CLIENT_ID`. */
  readonly strava: StravaApplication | undefined;
  /** `FITNESS_DISABLED_TOOLS`. */
  readonly disabledTools: ReadonlySet<string>;
  /** `FITNESS_EXPOSURE`. Default: `flat`. */
  readonly exposure: FitnessExposure;
  /** `FITNESS_INVALID_ARGUMENTS`: the response to invalid arguments. Default: `protocol-error`, the JSON-RPC error -32602. */
  readonly invalidArguments: 'protocol-error' | 'tool-error';
  /** `LOG_LEVEL`. Default: `warning`. */
  readonly logLevel: 'debug' | 'info' | 'warning' | 'error';
}

/** Reads the settings. Throws an error that names the variable, its value and the allowed values. */
export function readSettings(environment: Environment): Settings {
  const { text, choice } = createReader(environment);
  const user = text('FITNESS_USER');
  const filesFolder = text('FITNESS_FILES');
  if (filesFolder !== undefined && user === undefined)
    throw new Error('FITNESS_FILES needs FITNESS_USER: the user who the files belong to.');
  return {
    databaseFile: text('FITNESS_DATABASE') ?? '.data/fitness.db',
    user,
    filesFolder,
    key: text('FITNESS_KEY'),
    strava: readStrava(environment),
    disabledTools: parseDisabledTools(text('FITNESS_DISABLED_TOOLS')),
    exposure: choice('FITNESS_EXPOSURE', EXPOSURES),
    invalidArguments: choice('FITNESS_INVALID_ARGUMENTS', ['protocol-error', 'tool-error']),
    logLevel: choice('LOG_LEVEL', ['warning', 'debug', 'info', 'error']),
  };
}

function readStrava(environment: Environment): StravaApplication | undefined {
  const { text, integer } = createReader(environment);
  const clientId = text('FITNESS_STRAVA_CLIENT_ID');
  const clientSecret = text('FITNESS_STRAVA_CLIENT_SECRET');
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId === undefined) throw toMissing('FITNESS_STRAVA_CLIENT_SECRET', 'FITNESS_STRAVA_CLIENT_ID');
  if (clientSecret === undefined) throw toMissing('FITNESS_STRAVA_CLIENT_ID', 'FITNESS_STRAVA_CLIENT_SECRET');
  if (text('FITNESS_KEY') === undefined) throw toMissing('FITNESS_STRAVA_CLIENT_ID', 'FITNESS_KEY');
  const quarterHour = integer('FITNESS_STRAVA_REQUESTS_15_MIN', { min: 1, max: 1_000_000 });
  const day = integer('FITNESS_STRAVA_REQUESTS_DAY', { min: 1, max: 10_000_000 });
  return {
    clientId,
    clientSecret,
    callbackPort: integer('FITNESS_STRAVA_CALLBACK_PORT', { min: 0, max: 65_535 }) ?? 0,
    limits: { ...(quarterHour !== undefined && { quarterHour }), ...(day !== undefined && { day }) },
  };
}

function toMissing(given: string, missing: string): Error {
  return new Error(`${given} needs ${missing}, which is not set.`);
}
