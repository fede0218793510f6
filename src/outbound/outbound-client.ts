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
import { BREAKER_RULES } from './breaker-rules.ts';
import type { BreakerOptions } from '../base/time/circuit-breaker.ts';
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

/** Default limits of outbound requests. */
export const OUTBOUND_DEFAULTS = {
  timeoutMs: 30_000,
  maxResponseBytes: 1_048_576,
  maxHeaderBytes: 16_384,
  maxRetries: 2,
  maxConnections: 64,
} as const;

/** Options of {@link OutboundClient}. */
export interface OutboundOptions {
  /** Private hosts, addresses and ranges that may be reached; `true` allows all. Default: none. */
  readonly allowPrivate?: AllowedPrivate;
  /** Timeout of a request with all its retries, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Maximum size of a decoded response body, in bytes. Default: 1 MiB. */
  readonly maxResponseBytes?: number;
  /** Maximum size of all headers of a response, in bytes. Default: 16 KiB. */
  readonly maxHeaderBytes?: number;
  /** Maximum number of retries of a repeatable request. Default: 2. */
  readonly maxRetries?: number;
  /** Limit of retries among all requests to one server. Default: one retry per ten requests. */
  readonly retryBudget?: RetryBudgetOptions;
  /** Circuit breakers of each server and each of its operations. */
  readonly breaker?: BreakerOptions;
  /**
   * Limits all outbound requests, including retries and requests for tokens and documents. The time in its queue counts towards
   * `timeoutMs`.
   */
  readonly limiter?: RequestLimiter;
  /** Maximum number of connections to one server. Default: 64. */
  readonly maxConnections?: number;
  /** Value of the `User-Agent` header. Default: `'toolwright'`. */
  readonly userAgent?: string;
  /** Client certificate and trusted certificate authorities, used only for the origins listed in it. */
  readonly tls?: TlsOptions;
  /** Default: `systemClock`. */
  readonly clock?: Clock;
  /** Resolves a host name to its addresses. Default: the system's DNS lookup. */
  readonly resolve?: Resolve;
  /** Returns a number from 0 to 1, for the jitter between retries. Default: `Math.random`. */
  readonly random?: () => number;
}

/** The response of an upstream server with any status. A redirect that is not followed is returned as a response. */
export type OutboundAnswer = ExchangeAnswer;

/** Methods that may be retried. */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);
const FIRST_PAUSE_MS = 100;
/** Maximum number of servers whose state is kept. */
const MAX_ORIGINS = 1000;

/**
 * Sends HTTP requests to upstream servers: to public addresses by default, within a deadline, with bounded responses, without redirects or
 * credentials to other origins, and with retries and a circuit breaker.
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
    assertOptions('OutboundClient', options, OPTIONS);
    assertOptions('OutboundClient', options.breaker ?? {}, BREAKER_RULES, 'breaker');
    assertOptions('OutboundClient', options.retryBudget ?? {}, RETRY_BUDGET_RULES, 'retryBudget');
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

  /** Sends a request. Rejects only with an {@link OutboundError}. */
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

  /** Closes idle connections. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
    this.#identity?.agent.destroy();
  }

  /** Whether this client presents a client certificate to this origin. */
  presentsCertificateTo(origin: string): boolean {
    return this.#identity?.presentsCertificateTo(origin) === true;
  }

  /** Retries until a response shows that the server works, or no retry is left. */
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

  /** Sends when the limiter allows it. Returns the result of sending, whatever the limiter returns. */
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
      // A limiter that fails after the response makes the request fail too.
      await sent;
      throw toLimited(error);
    }
    return sent ?? Promise.reject(toLimited(undefined));
  }

  /** Waits before a retry. Resolves to false if there must be none. */
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

  /** The allowed destinations depend on the origin, so they are checked once per origin. Host names are checked when they are resolved. */
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

/** State shared by the attempts of one request. */
interface Attempt {
  readonly prepared: ExchangeRequest;
  readonly upstream: Upstream;
  readonly operation: string;
  readonly maxResponseBytes: number;
  readonly deadline: Deadline;
  readonly caller: OutboundRequest['caller'];
}

/**
 * Whether a failure does not count for the circuit breaker: cancellation, our own rejections, a failed limiter, time in the connection
 * queue.
 */
function isSilent({ failure }: OutboundError, progress: ExchangeProgress | undefined): boolean {
  if (failure === 'timed-out') return progress === undefined;
  return SILENT.has(failure);
}

const SILENT: ReadonlySet<OutboundFailure> = new Set(['cancelled', 'blocked', 'limited', 'limiter-failed']);

/** `isTransient`: a retry may succeed. */
type Outcome = { readonly isTransient: boolean } & (
  | { readonly answer: OutboundAnswer }
  | { readonly error: OutboundError }
);

function unwrap(outcome: Outcome): OutboundAnswer {
  if ('error' in outcome) throw outcome.error;
  return outcome.answer;
}

const MAX_RETRY_AFTER_MS = 10_000;

/** The `Retry-After` header in milliseconds; undefined if it is missing, invalid or too long to wait for. */
function readRetryAfter({ headers }: OutboundAnswer): number | undefined {
  const said = headers.get('retry-after');
  const ms = said !== undefined && /^\d{1,4}$/.test(said.trim()) ? Number(said) * 1000 : undefined;
  return ms === undefined || ms > MAX_RETRY_AFTER_MS ? undefined : ms;
}

/** Validation rules of the limits. */
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
