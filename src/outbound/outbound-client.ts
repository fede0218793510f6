import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  ANY,
  assertOptions,
  CLOCK,
  FUNCTION,
  isBoolean,
  MAX_TIMER_MS,
  objectWith,
  wholeNumber,
} from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import { RETRY_BUDGET_RULES } from '../middleware/parts/retry-budget.ts';
import type { RetryBudgetOptions } from '../middleware/parts/retry-budget.ts';
import { systemClock } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { BREAKER_RULES } from './circuit-breaker.ts';
import type { BreakerOptions } from './circuit-breaker.ts';
import { Deadline } from './deadline.ts';
import { ALLOWED_PRIVATE, Destinations } from './destinations.ts';
import type { AllowedPrivate, Resolve } from './destinations.ts';
import { exchange } from './http-exchange.ts';
import type { ExchangeAnswer, ExchangeProgress, ExchangeRequest } from './http-exchange.ts';
import type { RequestLimiter } from './limits/request-limiter.ts';
import { OutboundError, toLimited } from './outbound-error.ts';
import type { OutboundFailure } from './outbound-error.ts';
import type { OutboundRequest } from './outbound-request.ts';
import { findRedirect, MAX_REDIRECTS } from './redirects/find-redirect.ts';
import { findHeaderMistake, hasIdempotencyKey, toHeaders } from './request-headers.ts';
import { ResponseRoom } from './response-room.ts';
import { TlsIdentity } from './tls-identity.ts';
import type { TlsOptions } from './tls-identity.ts';
import { isUnavailable, Upstream } from './upstream.ts';

/** The limits of requests to other servers, where nothing else is said. */
export const OUTBOUND_DEFAULTS = {
  timeoutMs: 30_000,
  maxResponseBytes: 1_048_576,
  maxHeaderBytes: 16_384,
  maxRetries: 2,
  maxConnections: 64,
} as const;

/** Options of {@link OutboundClient}. */
export interface OutboundOptions {
  /** Hosts, addresses and ranges that are not public and may be reached all the same; true for all. Default: none. */
  readonly allowPrivate?: AllowedPrivate;
  /** How long a request may take, with everything that is tried. Default: 30 s. */
  readonly timeoutMs?: number;
  /** The largest answer, unpacked. Default: 1 MiB. */
  readonly maxResponseBytes?: number;
  /** The headers of an answer, together. Default: 16 KiB. */
  readonly maxHeaderBytes?: number;
  /** How often a request that may be repeated is tried again. Default: 2. */
  readonly maxRetries?: number;
  /** How many retries there may be among all requests to one server. Default: one for ten requests. */
  readonly retryBudget?: RetryBudgetOptions;
  readonly breaker?: BreakerOptions;
  /** Limits the requests that leave, retries and those for tokens and documents included. The wait is part of `timeoutMs`. */
  readonly limiter?: RequestLimiter;
  /** To one server at a time. Default: 64. */
  readonly maxConnections?: number;
  readonly userAgent?: string;
  /** A certificate of this side, and whose certificates it trusts: for the servers that are named there, and no others. */
  readonly tls?: TlsOptions;
  readonly clock?: Clock;
  /** Finds the addresses of a name. Default: that of the system. */
  readonly resolve?: Resolve;
  /** A number from 0 to 1, for the time between retries. */
  readonly random?: () => number;
}

/** The answer of another server, whatever its status. A redirect that is not followed is an answer. */
export type OutboundAnswer = ExchangeAnswer;

/** Those that may be sent twice. */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);
const FIRST_PAUSE_MS = 100;
/** So many servers are remembered. */
const MAX_ORIGINS = 1000;

/**
 * Sends requests to other servers, safely: to public addresses unless told otherwise, within a deadline, with answers of a limited size,
 * without following redirects elsewhere, without handing credentials to anybody else, and without making the trouble of others worse.
 */
export class OutboundClient {
  readonly #limits: Required<Pick<OutboundOptions, keyof typeof OUTBOUND_DEFAULTS>>;
  readonly #options: OutboundOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #destinations: Destinations;
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;
  readonly #identity: TlsIdentity | undefined;
  readonly #upstreams = new Map<string, Upstream>();
  readonly #room = new ResponseRoom();

  constructor(options: OutboundOptions = {}) {
    assertOptions('Outbound requests', options, OPTIONS);
    assertOptions('Outbound requests', options.breaker ?? {}, BREAKER_RULES, 'breaker');
    assertOptions('Outbound requests', options.retryBudget ?? {}, RETRY_BUDGET_RULES, 'retryBudget');
    this.#options = options;
    this.#limits = { ...OUTBOUND_DEFAULTS, ...pickLimits(options) };
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#destinations = new Destinations(options.allowPrivate, options.resolve);
    const pool = {
      keepAlive: true,
      maxSockets: this.#limits.maxConnections,
      maxFreeSockets: 16,
      timeout: 60_000,
    };
    this.#http = new HttpAgent(pool);
    this.#https = new HttpsAgent(pool);
    this.#identity = options.tls === undefined ? undefined : new TlsIdentity(options.tls, pool);
  }

  /** Sends a request. Rejects with an {@link OutboundError}, and with nothing else. */
  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    const { url, body, caller, redirect } = request;
    const upstream = this.#upstreamOf(url);
    const { method, headers } = toHeaders(request, this.#options.userAgent ?? 'toolwright');
    const { operation = `${method} ${url.pathname}`, maxResponseBytes = this.#limits.maxResponseBytes } =
      request;
    const deadline = new Deadline(this.#clock, request, this.#limits.timeoutMs);
    try {
      upstream.budget.earn();
      const shared = { upstream, operation, maxResponseBytes, deadline, caller };
      let asked = url;
      for (let redirects = 0; ; redirects += 1) {
        const prepared = { method, url: asked, headers, body };
        const answer = await this.#attempt({ prepared, ...shared });
        const found = redirect && findRedirect(prepared, answer);
        const to = found && redirect?.(found, answer.status);
        if (to === undefined) return answer;
        if (redirects === MAX_REDIRECTS) throw redirectedTooOften(url);
        asked = to;
      }
    } finally {
      deadline.close();
    }
  }

  /** Closes connections that nobody uses. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
    this.#identity?.agent.destroy();
  }

  /** Whether a server that asks for a certificate gets one from this client. */
  presentsCertificateTo(origin: string): boolean {
    return this.#identity?.presentsCertificateTo(origin) === true;
  }

  /** An answer that says that the server is fine ends it; everything else may be tried again. */
  async #attempt(attempt: Attempt): Promise<OutboundAnswer> {
    for (let retries = 0; ; retries += 1) {
      const outcome = await this.#once(attempt);
      if ('answer' in outcome && !outcome.isTransient) return outcome.answer;
      if (!(await this.#waitToRepeat(attempt, outcome, retries))) return unwrap(outcome);
    }
  }

  async #once(attempt: Attempt): Promise<Outcome> {
    const { prepared, upstream, operation, maxResponseBytes, deadline } = attempt;
    const entered = upstream.enter(operation);
    if ('waitMs' in entered) {
      const { waitMs } = entered;
      const message = `${prepared.url.origin} has failed several times in a row, so its circuit breaker is open. Try again later.`;
      const error = new OutboundError('resting', message, { retryAfterMs: waitMs });
      return { error, isTransient: false };
    }
    let progress: ExchangeProgress | undefined;
    try {
      const send = (): Promise<ExchangeAnswer> =>
        exchange(prepared, {
          agent: upstream.agent,
          lookup: this.#destinations.lookup,
          maxResponseBytes,
          maxHeaderBytes: this.#limits.maxHeaderBytes,
          room: this.#room,
          ending: deadline,
          onProgress: (reached) => {
            progress = reached;
            if (reached === 'connected') upstream.connected();
          },
        });
      const answer = await this.#whenAllowed(attempt, send);
      const isTransient = isUnavailable(answer.status);
      upstream.answered(operation, isTransient);
      return { answer, isTransient };
    } catch (thrown) {
      const error = deadline.explain(thrown);
      const { failure } = error;
      if (isSilent(error, progress)) entered.giveUp();
      else if (failure !== 'unreachable' && failure !== 'timed-out') upstream.answered(operation, false);
      else upstream.failed(operation, progress === 'connected');
      return { error, isTransient: failure === 'unreachable' };
    }
  }

  /** Sends when the limiter lets it leave. The result is that of sending, whatever a limiter makes of it. */
  async #whenAllowed(
    { prepared: { url }, deadline, caller }: Attempt,
    send: () => Promise<ExchangeAnswer>,
  ): Promise<ExchangeAnswer> {
    const { limiter } = this.#options;
    if (limiter === undefined) return send();
    const waiting = new AbortController();
    deadline.stop = (reason) => waiting.abort(reason);
    if (deadline.reason !== undefined) waiting.abort(deadline.reason);
    const { principal, accessToken } = caller ?? {};
    let sent: Promise<ExchangeAnswer> | undefined;
    try {
      await limiter.run({ url, signal: waiting.signal, principal, accessToken }, () => (sent = send()));
    } catch (error) {
      // One that fails after a response has failed all the same.
      await sent;
      throw toLimited(error);
    }
    return sent ?? Promise.reject(toLimited(undefined));
  }

  /** Waits before another attempt. False where none would help, or there may be none. */
  async #waitToRepeat(
    { prepared, upstream, deadline }: Attempt,
    outcome: Outcome,
    retries: number,
  ): Promise<boolean> {
    const mayRepeat = REPEATABLE.has(prepared.method) || hasIdempotencyKey(prepared.headers);
    if (!mayRepeat || !outcome.isTransient || retries >= this.#limits.maxRetries) return false;
    const told = 'answer' in outcome ? readRetryAfter(outcome.answer) : undefined;
    const pauseMs = told ?? FIRST_PAUSE_MS * 2 ** retries * (0.5 + this.#random() / 2);
    return upstream.budget.take() && deadline.pause(pauseMs);
  }

  /** Where requests may go is a matter of their origin, so it is checked once for each. Names are checked when they are resolved. */
  #upstreamOf(url: URL): Upstream {
    const { origin, protocol } = url;
    const known = this.#upstreams.get(origin);
    if (known !== undefined) return known;
    if (protocol !== 'https:' && protocol !== 'http:')
      throw new OutboundError('blocked', `Unsupported protocol "${protocol}": use http: or https:.`);
    this.#destinations.assertUrl(url);
    const made = new Upstream(this.#clock, this.#agentFor(url), this.#options);
    const [oldest] = this.#upstreams.keys();
    if (this.#upstreams.size >= MAX_ORIGINS && oldest !== undefined) this.#upstreams.delete(oldest);
    this.#upstreams.set(origin, made);
    return made;
  }

  #agentFor({ protocol, origin }: URL): HttpAgent {
    if (protocol !== 'https:') return this.#http;
    return this.#identity?.isFor(origin) === true ? this.#identity.agent : this.#https;
  }
}

function redirectedTooOften({ origin }: URL): OutboundError {
  return new OutboundError('invalid-answer', `${origin} redirected more than ${MAX_REDIRECTS} times.`);
}

/** Everything that the attempts of one request share. */
interface Attempt {
  readonly prepared: ExchangeRequest;
  readonly upstream: Upstream;
  readonly operation: string;
  readonly maxResponseBytes: number;
  readonly deadline: Deadline;
  readonly caller: OutboundRequest['caller'];
}

/** What a caller cancelled, what we refused ourselves, a limiter that failed, and the time in the queue for a connection say nothing of the server. */
function isSilent({ failure }: OutboundError, progress: ExchangeProgress | undefined): boolean {
  if (failure === 'timed-out') return progress === undefined;
  return SILENT.has(failure);
}

const SILENT: ReadonlySet<OutboundFailure> = new Set(['cancelled', 'blocked', 'limited', 'limiter-failed']);

/** `isTransient`: it may be different a moment later. */
type Outcome = { readonly isTransient: boolean } & (
  | { readonly answer: OutboundAnswer }
  | { readonly error: OutboundError }
);

function unwrap(outcome: Outcome): OutboundAnswer {
  if ('error' in outcome) throw outcome.error;
  return outcome.answer;
}

const MAX_RETRY_AFTER_MS = 10_000;

/** What the server asks for, in seconds; what is longer than anybody waits is not an answer. */
function readRetryAfter({ headers }: OutboundAnswer): number | undefined {
  const said = headers.get('retry-after');
  const ms = said !== undefined && /^\d{1,4}$/.test(said.trim()) ? Number(said) * 1000 : undefined;
  return ms === undefined || ms > MAX_RETRY_AFTER_MS ? undefined : ms;
}

/** A rule for each limit. */
const LIMITS = Object.fromEntries(
  Object.keys(OUTBOUND_DEFAULTS).map((name) => [name, wholeNumber(1)]),
) as Rules<keyof typeof OUTBOUND_DEFAULTS>;

const OPTIONS: Rules<keyof OutboundOptions> = {
  ...LIMITS,
  maxRetries: wholeNumber(0),
  timeoutMs: wholeNumber(1, MAX_TIMER_MS),
  allowPrivate: [(value) => isBoolean(value) || Array.isArray(value), ALLOWED_PRIVATE],
  retryBudget: ANY,
  breaker: ANY,
  limiter: objectWith('run'),
  userAgent: [
    (value) => typeof value === 'string' && findHeaderMistake('user-agent', value) === undefined,
    'a string of characters that are allowed in a header',
  ],
  tls: ANY,
  clock: CLOCK,
  resolve: FUNCTION,
  random: FUNCTION,
};

function pickLimits(options: OutboundOptions): Partial<Record<keyof typeof OUTBOUND_DEFAULTS, number>> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.filter(([name]) => name in OUTBOUND_DEFAULTS));
}
