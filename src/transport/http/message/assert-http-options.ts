import { assertKnown } from '../../../errors/assert-known.ts';
import { DefinitionError } from '../../../errors/errors.ts';
import type { HttpOptions, SessionOptions, SseOptions } from './http-options.ts';

/** Every option, so that none is left out by a typo: a list of hosts that is misspelt allows nobody. */
const OPTIONS: Readonly<Record<keyof HttpOptions, true>> = {
  path: true,
  allowedHosts: true,
  allowedOrigins: true,
  authenticate: true,
  authenticateTimeoutMs: true,
  clientAddress: true,
  healthPath: true,
  routes: true,
  sessions: true,
  sse: true,
  keepAliveMs: true,
  stallMs: true,
  maxInFlight: true,
  maxInFlightPerCaller: true,
  maxWaiting: true,
  maxWaitMs: true,
};

export const HTTP_OPTION_NAMES: readonly string[] = Object.keys(OPTIONS);

const SESSION_OPTIONS: readonly (keyof SessionOptions)[] = [
  'maxSessions',
  'maxSessionsPerCaller',
  'idleMs',
  'eventStore',
];

const SSE_OPTIONS: readonly (keyof SseOptions)[] = ['streamPath', 'messagePath', 'maxClients'];

/** Refuses options that nobody reads, and numbers that no timer or counter can use. */
export function assertHttpOptions(options: HttpOptions): void {
  assertKnown('The options of HTTP', options, HTTP_OPTION_NAMES);
  const { sessions, sse, authenticate } = options;
  if (authenticate !== undefined && typeof authenticate !== 'function')
    throw new DefinitionError('authenticate must be a function: (request) => principal or refuse().');
  if (options.clientAddress !== undefined && typeof options.clientAddress !== 'function')
    throw new DefinitionError('clientAddress must be a function: ({ address, headers }) => address.');
  if (sessions !== undefined && sessions !== false && typeof sessions !== 'object')
    throw new DefinitionError('sessions must be an object of options, or false.');
  if (typeof sessions === 'object') assertKnown('The sessions of HTTP', sessions, SESSION_OPTIONS);
  if (typeof sse === 'object') assertKnown('The sse of HTTP', sse, SSE_OPTIONS);
  const numbers = {
    authenticateTimeoutMs: options.authenticateTimeoutMs,
    keepAliveMs: options.keepAliveMs,
    stallMs: options.stallMs,
    maxInFlight: options.maxInFlight,
    maxInFlightPerCaller: options.maxInFlightPerCaller,
    maxWaitMs: options.maxWaitMs,
    ...(typeof sessions === 'object'
      ? {
          'sessions.maxSessions': sessions.maxSessions,
          'sessions.maxSessionsPerCaller': sessions.maxSessionsPerCaller,
          'sessions.idleMs': sessions.idleMs,
        }
      : {}),
    ...(typeof sse === 'object' ? { 'sse.maxClients': sse.maxClients } : {}),
  };
  assertWaiting(options.maxWaiting);
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= MAX)) continue;
    throw new DefinitionError(`${name} must be a whole number from 1 to ${MAX}; it is ${String(value)}.`);
  }
}

function assertWaiting(value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= MAX)) return;
  throw new DefinitionError(`maxWaiting must be a whole number from 0 to ${MAX}; it is ${String(value)}.`);
}

/** Timers can wait no longer. */
const MAX = 2_147_483_647;
