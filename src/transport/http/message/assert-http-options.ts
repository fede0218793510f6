import { isObject } from '../../../base/is-object.ts';
import { DefinitionError } from '../../../errors/errors.ts';
import {
  ANY,
  assertOptions,
  BOOLEAN,
  isBoolean,
  isFunction,
  MAX_TIMER_MS,
  objectWith,
  wholeNumber,
} from '../../../errors/options/rules.ts';
import type { Rule, Rules } from '../../../errors/options/rules.ts';
import type { HttpOptions, SessionOptions, SseOptions } from './http-options.ts';

const COUNT: Rule = wholeNumber(1, MAX_TIMER_MS);
const PATH: Rule = [
  (value) => typeof value === 'string' && value.startsWith('/'),
  'a path that begins with "/"',
];
const PATH_OR_FALSE: Rule = [(value) => value === false || PATH[0](value), `${String(PATH[1])}, or false`];

/** Rules of all options. Unknown options are rejected: a misspelt `allowedHosts` would have no effect. */
export const HTTP_RULES: Rules<keyof HttpOptions> = {
  path: PATH,
  allowedHosts: [Array.isArray, "an array of hosts: ['api.example.com']"],
  allowedOrigins: [Array.isArray, "an array of origins: ['https://app.example.com']"],
  auth: [isObject, 'a verifier such as jwt({ … }), or an object with one: { verify: jwt({ … }) }'],
  authenticate: [isFunction, 'a function: (request) => principal or refuse()'],
  authenticateTimeoutMs: COUNT,
  clientAddress: [isFunction, 'a function: ({ address, headers }) => address'],
  healthPath: PATH_OR_FALSE,
  livePath: PATH_OR_FALSE,
  readyPath: PATH_OR_FALSE,
  requireSameCatalog: BOOLEAN,
  routes: [isObject, "an object: { 'GET /version': () => new Response('1.0.0') }"],
  sessions: [(value) => value === false || isObject(value), 'an object of options, or false'],
  sse: [(value) => isBoolean(value) || isObject(value), 'an object of options, true or false'],
  keepAliveMs: COUNT,
  stallMs: COUNT,
  maxInFlight: COUNT,
  maxInFlightPerCaller: COUNT,
  maxWaiting: wholeNumber(0, MAX_TIMER_MS),
  maxWaitMs: COUNT,
};

const SESSION_RULES: Rules<keyof SessionOptions> = {
  maxSessions: COUNT,
  maxSessionsPerCaller: COUNT,
  idleMs: COUNT,
  eventStore: ANY,
  shared: objectWith('get', 'set', 'take', 'delete'),
  lifetimeMs: COUNT,
};

const SSE_RULES: Rules<keyof SseOptions> = { streamPath: PATH, messagePath: PATH, maxClients: COUNT };

/** Rejects unknown options and invalid values. */
export function assertHttpOptions(options: HttpOptions): void {
  assertOptions('HTTP', options, HTTP_RULES);
  const { sessions, sse, auth, authenticate } = options;
  if (auth !== undefined && authenticate !== undefined)
    throw new DefinitionError('HTTP: use either auth or authenticate, not both.', { option: 'auth' });
  if (typeof sessions === 'object') assertOptions('HTTP', sessions, SESSION_RULES, 'sessions');
  if (typeof sse === 'object') assertOptions('HTTP', sse, SSE_RULES, 'sse');
}
