import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  ANY,
  assertOptions,
  CLOCK,
  FUNCTION,
  isBoolean,
  MAX_TIMER_MS,
  wholeNumber,
} from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import { RETRY_BUDGET_RULES } from '../middleware/parts/retry-budget.ts';
import type { RetryBudgetOptions } from '../middleware/parts/retry-budget.ts';
import { systemClock } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { BREAKER_RULES } from './circuit-breaker.ts';
import type { BreakerOptions } from './circuit-breaker.ts';
import { ALLOWED_PRIVATE, Destinations } from './destinations.ts';
import type { AllowedPrivate, Resolve } from './destinations.ts';
import { exchange } from './http-exchange.ts';
import type { ExchangeAnswer, ExchangeProgress, ExchangeRequest } from './http-exchange.ts';
import { OutboundError } from './outbound-error.ts';
import type { OutboundRequest } from './outbound-request.ts';
import { findHeaderMistake, toHeaders } from './request-headers.ts';
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

/** The answer of another server, whatever its status. A redirect is an answer: nothing follows it. */
export type OutboundAnswer = ExchangeAnswer;

/** Those that may be sent twice. */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);
const FIRST_PAUSE_MS = 100;
/** So many servers are remembered. */
const MAX_ORIGINS = 1000;

/**
 * Sends requests to other servers, safely: to public addresses unless told otherwise, within a deadline, with answers of a limited size,
 * without following redirects, without handing credentials to anybody else, and without making the trouble of others worse.
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
    const { url } = request;
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new OutboundError('blocked', `Only http: and https: can be asked, not ${url.protocol}`);
    this.#destinations.assertUrl(url);
    const { method, headers } = toHeaders(request, this.#options.userAgent ?? 'toolwright');
    const upstream = this.#upstreamOf(url.origin);
    const deadline = this.#startDeadline(request);
    try {
      upstream.budget.earn();
      return await this.#attempt(
        { method, url, headers, body: request.body },
        { request, upstream, deadline },
      );
    } finally {
      deadline.end();
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

  #agentFor({ protocol, origin }: URL): HttpAgent {
    if (protocol !== 'https:') return this.#http;
    return this.#identity?.isFor(origin) === true ? this.#identity.agent : this.#https;
  }

  async #attempt(prepared: ExchangeRequest, parts: AttemptParts): Promise<OutboundAnswer> {
    const { request, upstream, deadline } = parts;
    const mayRepeat = REPEATABLE.has(prepared.method) || hasIdempotencyKey(prepared.headers);
    for (let retries = 0; ; retries += 1) {
      const outcome = await this.#once(prepared, { request, upstream, deadline });
      const pauseMs = this.#pauseAfter(outcome, retries);
      const isLast = !mayRepeat || pauseMs === undefined || retries >= this.#limits.maxRetries;
      if (isLast || !upstream.budget.take()) return unwrap(outcome);
      if (!(await deadline.pause(pauseMs))) return unwrap(outcome);
    }
  }

  async #once(prepared: ExchangeRequest, { request, upstream, deadline }: AttemptParts): Promise<Outcome> {
    const { operation = `${prepared.method} ${prepared.url.pathname}` } = request;
    const entered = upstream.enter(operation);
    if ('waitMs' in entered) {
      const { waitMs } = entered;
      const message = `${prepared.url.origin} has failed several times in a row and is left alone for a moment.`;
      return { error: new OutboundError('resting', message, { retryAfterMs: waitMs }) };
    }
    let progress: ExchangeProgress | undefined;
    try {
      const answer = await exchange(prepared, {
        agent: this.#agentFor(prepared.url),
        lookup: this.#destinations.lookup,
        maxResponseBytes: request.maxResponseBytes ?? this.#limits.maxResponseBytes,
        maxHeaderBytes: this.#limits.maxHeaderBytes,
        room: this.#room,
        signal: deadline.signal,
        onProgress: (reached) => {
          progress = reached;
          if (reached === 'connected') upstream.connected();
        },
      });
      upstream.answered(operation, answer.status);
      return { answer };
    } catch (error) {
      const failure = deadline.explain(error);
      if (isSilent(failure, progress)) entered.giveUp();
      else if (failure.failure !== 'unreachable' && failure.failure !== 'timed-out')
        upstream.answered(operation);
      else upstream.failed(operation, progress === 'connected');
      return { error: failure };
    }
  }

  /** How long to wait before another attempt; undefined where none would help. */
  #pauseAfter(outcome: Outcome, retries: number): number | undefined {
    const isTransient =
      'error' in outcome ? outcome.error.failure === 'unreachable' : isUnavailable(outcome.answer.status);
    if (!isTransient) return undefined;
    const told = 'answer' in outcome ? readRetryAfter(outcome.answer) : undefined;
    return told ?? FIRST_PAUSE_MS * 2 ** retries * (0.5 + this.#random() / 2);
  }

  #startDeadline({ signal, timeoutMs, url }: OutboundRequest): Deadline {
    const ms = Math.min(timeoutMs ?? this.#limits.timeoutMs, this.#limits.timeoutMs);
    return new Deadline(this.#clock, { ms, signal, origin: url.origin });
  }

  #upstreamOf(origin: string): Upstream {
    const known = this.#upstreams.get(origin);
    if (known !== undefined) return known;
    const made = new Upstream(this.#clock, this.#options);
    const [oldest] = this.#upstreams.keys();
    if (this.#upstreams.size >= MAX_ORIGINS && oldest !== undefined) this.#upstreams.delete(oldest);
    this.#upstreams.set(origin, made);
    return made;
  }
}

interface AttemptParts {
  readonly request: OutboundRequest;
  readonly upstream: Upstream;
  readonly deadline: Deadline;
}

/** What a caller cancelled, what we refused ourselves, and the time in the queue for a connection say nothing of the server. */
function isSilent({ failure }: OutboundError, progress: ExchangeProgress | undefined): boolean {
  if (failure === 'timed-out') return progress === undefined;
  return failure === 'cancelled' || failure === 'blocked';
}

type Outcome = { readonly answer: OutboundAnswer } | { readonly error: OutboundError };

function unwrap(outcome: Outcome): OutboundAnswer {
  if ('error' in outcome) throw outcome.error;
  return outcome.answer;
}

/** The time for everything that is done for one request, and whoever may take it back. */
class Deadline {
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #endsAt: number;
  readonly #cancelTimer: () => void;
  readonly #stop = (): void =>
    this.#controller.abort(new OutboundError('cancelled', 'The request was taken back.'));

  constructor(
    clock: Clock,
    { ms, signal, origin }: { ms: number; signal: AbortSignal | undefined; origin: string },
  ) {
    this.#clock = clock;
    this.#outer = signal;
    this.signal = this.#controller.signal;
    this.#endsAt = clock.now() + ms;
    this.#cancelTimer = clock.schedule(() => {
      const message = `${origin} did not answer within ${ms} ms.`;
      this.#controller.abort(new OutboundError('timed-out', message));
    }, ms);
    if (signal?.aborted === true) this.#stop();
    else signal?.addEventListener('abort', this.#stop, { once: true });
  }

  /** Waits, if there is time for that and for something after it. */
  pause(ms: number): Promise<boolean> {
    if (this.signal.aborted || this.#clock.now() + ms >= this.#endsAt) return Promise.resolve(false);
    return new Promise((resolve) => {
      const over = (isTime: boolean): void => {
        cancel();
        this.signal.removeEventListener('abort', stop);
        resolve(isTime);
      };
      const stop = (): void => over(false);
      const cancel = this.#clock.schedule(() => over(true), ms);
      this.signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** What went wrong: that the time was up, if it was. */
  explain(error: unknown): OutboundError {
    const reason: unknown = this.signal.aborted ? this.signal.reason : error;
    if (reason instanceof OutboundError) return reason;
    return new OutboundError('unreachable', 'The request could not be sent.', { cause: error });
  }

  end(): void {
    this.#cancelTimer();
    this.#outer?.removeEventListener('abort', this.#stop);
  }
}

const MAX_RETRY_AFTER_MS = 10_000;

/** What the server asks for, in seconds; what is longer than anybody waits is not an answer. */
function readRetryAfter({ headers }: OutboundAnswer): number | undefined {
  const said = headers.get('retry-after');
  const ms = said !== undefined && /^\d{1,4}$/.test(said.trim()) ? Number(said) * 1000 : undefined;
  return ms === undefined || ms > MAX_RETRY_AFTER_MS ? undefined : ms;
}

function hasIdempotencyKey(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
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
  userAgent: [
    (value) => typeof value === 'string' && findHeaderMistake('user-agent', value) === undefined,
    'a string of characters that a header can have',
  ],
  tls: ANY,
  clock: CLOCK,
  resolve: FUNCTION,
  random: FUNCTION,
};

function pickLimits(options: OutboundOptions): Partial<Record<keyof typeof OUTBOUND_DEFAULTS, number>> {
  const names = Object.keys(OUTBOUND_DEFAULTS) as (keyof typeof OUTBOUND_DEFAULTS)[];
  return Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
}
