import { CallRefusedError } from '../../errors/errors.ts';
import type { HttpContext } from '../../middleware/context.ts';
import type { ClientDescription, McpLogLevel } from '../../middleware/dialogue.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import { Cancellation } from '../../base/time/cancellation.ts';
import { Closing } from '../../wire/served/closing.ts';
import type { Exchange, RequestHeaders, SessionState } from '../../wire/served/exchange.ts';
import { findRevision, MODERN } from '../../wire/messages/revisions.ts';
import type { Revision } from '../../wire/messages/revisions.ts';
import type { Served } from '../../wire/served/served.ts';
import type {
  FromWorker,
  SentHeader,
  SentRequest,
  SentSession,
  SessionChange,
  ToWorker,
} from './messages.ts';

type Tell = (message: FromWorker) => void;

/** Handles the requests of the process with the connections. */
export class WorkerRequests {
  readonly #served: Served;
  readonly #tell: Tell;
  readonly #running = new Map<number, SentExchange>();
  readonly #onIdle: (() => void)[] = [];

  constructor(served: Served, tell: Tell) {
    this.#served = served;
    this.#tell = tell;
  }

  take(message: Exclude<ToWorker, { type: 'close' }>): void {
    switch (message.type) {
      case 'request':
        return void this.#answer(message);
      case 'cancel':
        return this.#running
          .get(message.key)
          ?.cancellation.cancel(new DOMException(message.reason, 'AbortError'));
      case 'find-task':
        return void this.#findTask(message);
      case 'answer':
        return this.#running.get(message.key)?.settle(message.question, message);
      default:
        return message satisfies never;
    }
  }

  /** Waits until no request is running. */
  async idle(): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle.push(resolve);
    });
  }

  async #findTask({ key, taskId, owner }: Extract<ToWorker, { type: 'find-task' }>): Promise<void> {
    const isThere = await this.#served.announced.hasTask(taskId, owner).catch(() => false);
    this.#tell({ type: 'found-task', key, isThere });
  }

  async #answer(sent: SentRequest): Promise<void> {
    const { key, request } = sent;
    const exchange = new SentExchange(sent, this.#tell);
    this.#running.set(key, exchange);
    const { text, status } = await this.#served.answer(request, exchange);
    this.#running.delete(key);
    const change =
      sent.session === undefined ? undefined : changeOf(sent.session, exchange.session as SessionState);
    this.#tell({ type: 'end', key, text, status, change });
    if (this.#running.size === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}

function changeOf(before: SentSession, { logLevel, subscriptions }: SessionState): SessionChange | undefined {
  const subscribed = Array.from(subscriptions).filter((uri) => !before.subscriptions.includes(uri));
  const unsubscribed = before.subscriptions.filter((uri) => !subscriptions.has(uri));
  const changed = logLevel === before.logLevel ? undefined : logLevel;
  return changed === undefined && subscribed.length + unsubscribed.length === 0
    ? undefined
    : { logLevel: changed, subscribed, unsubscribed };
}

/** The outcome of a request to the client. */
interface Settled {
  readonly result?: unknown;
  readonly failure?: string;
}

/** The headers of a request from the other process. */
class SentHeaders implements RequestHeaders {
  readonly #headers: ReadonlyMap<string, SentHeader>;

  constructor(headers: readonly SentHeader[]) {
    this.#headers = new Map(headers.map((header) => [header.name, header]));
  }

  header(name: string): string | undefined {
    return this.#headers.get(name)?.value;
  }

  isRepeated(name: string): boolean {
    return this.#headers.get(name)?.isRepeated === true;
  }

  headerNames(prefix: string): readonly string[] {
    return Array.from(this.#headers.keys()).filter((name) => name.startsWith(prefix));
  }
}

function toHeaders(entries: readonly (readonly [string, string])[]): Headers {
  const headers = new Headers();
  for (const [name, value] of entries) headers.append(name, value);
  return headers;
}

/** A request from the other process, and its connection to the client. */
class SentExchange implements Exchange {
  readonly revision: Revision;
  readonly caller: Caller;
  readonly client: ClientDescription;
  readonly cancellation: Cancellation = new Cancellation();
  readonly closing: Closing = new Closing();
  /** Memory is accounted in the process that received the request. */
  readonly hold = undefined;
  readonly logLevel: McpLogLevel | undefined;
  readonly session: SessionState | undefined;
  readonly headers: RequestHeaders | undefined;
  readonly http: HttpContext | undefined;
  readonly ask: Exchange['ask'];
  readonly #key: number;
  readonly #tell: Tell;
  readonly #questions: ((settled: Settled) => void)[] = [];

  constructor(sent: SentRequest, tell: Tell) {
    const { key, version, caller, client, logLevel, session, headers, http, canAsk } = sent;
    this.#key = key;
    this.#tell = tell;
    this.revision = findRevision(version) ?? MODERN;
    this.caller = caller;
    this.client = client;
    this.logLevel = logLevel;
    this.session =
      session === undefined
        ? undefined
        : { logLevel: session.logLevel, subscriptions: new Set(session.subscriptions) };
    this.headers = headers === undefined ? undefined : new SentHeaders(headers);
    this.http =
      http === undefined
        ? undefined
        : { ...http, headers: toHeaders(http.headers), request: undefined, host: undefined };
    this.ask = canAsk ? (method, params) => this.#ask(method, params) : undefined;
  }

  send(text: string): void {
    this.#tell({ type: 'message', key: this.#key, text });
  }

  releaseStream(): void {
    this.#tell({ type: 'release', key: this.#key });
  }

  /** Settles a request to the client with its response. */
  settle(question: number, settled: Settled): void {
    this.#questions[question]?.(settled);
  }

  #ask(method: string, params: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const question = this.#questions.length;
      this.#questions.push(({ result, failure }) => {
        if (failure === undefined) resolve(result);
        else reject(new CallRefusedError('INPUT_REFUSED', failure));
      });
      this.#tell({ type: 'ask', key: this.#key, question, method, params });
    });
  }
}
