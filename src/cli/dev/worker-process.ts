import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toLoggedError } from '../../errors/log-thrown.ts';
import { ARGUMENT_HEADER } from '../../schema/convert/header-arguments.ts';
import type { ServerEvent } from '../../stores/event-bus.ts';
import { toErrorAnswer } from '../../wire/messages/answer.ts';
import type { Answer } from '../../wire/messages/answer.ts';
import type { Exchange, RequestHeaders, SessionState } from '../../wire/served/exchange.ts';
import type { RpcRequest } from '../../wire/messages/json-rpc.ts';
import { INTERNAL_ERROR } from '../../wire/messages/rpc-errors.ts';
import type { ErrorReport } from './error-report.ts';
import type {
  FromWorker,
  SentHeader,
  SentSession,
  ServerSketch,
  SessionChange,
  ToWorker,
} from './messages.ts';

/** Options and callbacks of {@link WorkerProcess}. */
export interface WorkerOptions {
  readonly file: string | undefined;
  readonly cwd: string;
  readonly onFiles: (files: readonly string[]) => void;
  /** Called when the description of the server changes at run time. */
  readonly onSketch: (sketch: ServerSketch) => void;
  readonly onEvent: (event: ServerEvent) => void;
  /** Called when a handler throws an unexpected error. */
  readonly onThrown: (report: ErrorReport) => void;
  /** Called when the process ends unexpectedly. */
  readonly onCrash: (reason: string) => void;
}

/** The server could not be loaded. The message is for its developer. */
export class LoadFailure extends Error {
  override readonly name = 'LoadFailure';
}

interface Pending {
  readonly request: RpcRequest;
  readonly exchange: Exchange;
  readonly onCancel: () => void;
  readonly resolve: (answer: Answer) => void;
}

/** Time after the drain time until the process is killed. */
const KILL_MS = 1000;

/** A process that runs one version of the server. */
export class WorkerProcess {
  /** Rejects with a {@link LoadFailure}. */
  readonly ready: Promise<ServerSketch>;
  readonly #options: WorkerOptions;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  readonly #searches = new Map<number, (isThere: boolean) => void>();
  #settleReady: { resolve: (sketch: ServerSketch) => void; reject: (error: Error) => void } | undefined;
  #nextKey = 1;
  #isClosing = false;
  /** The reason why the process has ended. */
  #over: string | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { file, cwd } = options;
    // Output of the server goes to standard error, because standard output may be the transport.
    this.#child = fork(workerFile(), file === undefined ? [] : [file], {
      cwd,
      stdio: ['ignore', process.stderr, 'inherit', 'ipc'],
    });
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = { resolve, reject };
    });
    this.#exited = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.#end(reason);
        resolve();
      };
      this.#child.on('error', (error) => end(`it could not be started: ${error.message}`));
      this.#child.on('exit', (code, signal) =>
        end(code === null ? `it was ended by ${signal ?? 'a signal'}` : `it ended with code ${code}`),
      );
    });
    this.#child.on('message', (message: FromWorker) => this.#take(message));
  }

  /** Sends a request to the process. Never rejects. */
  answer(request: RpcRequest, exchange: Exchange): Promise<Answer> {
    if (this.#over !== undefined) return Promise.resolve(lost(request, this.#over));
    const key = this.#nextKey;
    this.#nextKey += 1;
    return new Promise((resolve) => {
      const onCancel = (): void =>
        this.#tell({ type: 'cancel', key, reason: messageOf(exchange.cancellation.reason) });
      this.#pending.set(key, { request, exchange, onCancel, resolve });
      const { revision, caller, client, logLevel, session, headers, http } = exchange;
      this.#tell({
        type: 'request',
        key,
        request,
        version: revision.version,
        caller,
        client,
        logLevel,
        session: session === undefined ? undefined : toSent(session),
        headers: headers === undefined ? undefined : toSentHeaders(headers),
        http:
          http === undefined
            ? undefined
            : { method: http.method, url: http.url, headers: Array.from(http.headers) },
        canAsk: exchange.ask !== undefined,
      });
      exchange.cancellation.onCancel(onCancel);
    });
  }

  /** Asks the process whether a task exists. */
  hasTask(taskId: string, owner: string): Promise<boolean> {
    if (this.#over !== undefined) return Promise.resolve(false);
    const key = this.#nextKey;
    this.#nextKey += 1;
    return new Promise((resolve) => {
      this.#searches.set(key, (isThere) => {
        this.#searches.delete(key);
        resolve(isThere);
      });
      this.#tell({ type: 'find-task', key, taskId, owner });
    });
  }

  /** Ends the process when all its requests are finished or the time is up. May be called again with a shorter time. */
  async close(drainMs: number): Promise<void> {
    this.#isClosing = true;
    this.#tell({ type: 'close', drainMs });
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), drainMs + KILL_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #take(message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        return this.#settleReady?.resolve(message.sketch);
      case 'changed':
        return this.#options.onSketch(message.sketch);
      case 'failed':
        return this.#settleReady?.reject(new LoadFailure(message.message));
      case 'files':
        return this.#options.onFiles(message.files);
      case 'event':
        return this.#options.onEvent(message.event);
      case 'thrown':
        return this.#options.onThrown(message.report);
      case 'message':
        return void this.#pending.get(message.key)?.exchange.send(message.text);
      case 'release':
        return this.#pending.get(message.key)?.exchange.releaseStream();
      case 'found-task':
        return this.#searches.get(message.key)?.(message.isThere);
      case 'ask':
        return void this.#ask(message);
      case 'end':
        return this.#settle(message);
      default:
        return message satisfies never;
    }
  }

  #settle({ key, text, status, change }: Extract<FromWorker, { type: 'end' }>): void {
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    this.#pending.delete(key);
    const { exchange } = pending;
    exchange.cancellation.offCancel(pending.onCancel);
    if (change !== undefined && exchange.session !== undefined) apply(change, exchange.session);
    pending.resolve({ text, status });
  }

  async #ask({ key, question, method, params }: Extract<FromWorker, { type: 'ask' }>): Promise<void> {
    const ask = this.#pending.get(key)?.exchange.ask;
    try {
      const result = await ask?.(method, params);
      this.#tell({ type: 'answer', key, question, result });
    } catch (error) {
      this.#tell({ type: 'answer', key, question, failure: messageOf(error) });
    }
  }

  #end(reason: string): void {
    if (this.#over !== undefined) return;
    this.#over = reason;
    this.#settleReady?.reject(new LoadFailure(`The server could not be loaded: ${reason}.`));
    const why = this.#isClosing ? 'it was replaced by a newer version' : reason;
    for (const { request, exchange, onCancel, resolve } of this.#pending.values()) {
      exchange.cancellation.offCancel(onCancel);
      resolve(lost(request, why));
    }
    this.#pending.clear();
    for (const settle of Array.from(this.#searches.values())) settle(false);
    if (!this.#isClosing) this.#options.onCrash(reason);
  }

  #tell(message: ToWorker): void {
    // Pending requests of a process that ends get their response in #end.
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}

/** The entry of the worker. The bundle has all files in one folder. */
function workerFile(): string {
  const [beside, above] = ['./dev-worker.js', '../../dev-worker.js'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  ) as [string, string];
  return existsSync(beside) ? beside : above;
}

function apply({ logLevel, subscribed, unsubscribed }: SessionChange, session: SessionState): void {
  if (logLevel !== undefined) session.logLevel = logLevel;
  for (const uri of subscribed) session.subscriptions.add(uri);
  for (const uri of unsubscribed) session.subscriptions.delete(uri);
}

function toSent({ logLevel, subscriptions }: SessionState): SentSession {
  return { logLevel, subscriptions: Array.from(subscriptions) };
}

/** The headers that carry arguments; the worker needs no others. */
function toSentHeaders(headers: RequestHeaders): SentHeader[] {
  return headers.headerNames(ARGUMENT_HEADER).flatMap((name) => {
    const value = headers.header(name);
    return value === undefined ? [] : [{ name, value, isRepeated: headers.isRepeated(name) }];
  });
}

function lost({ id }: RpcRequest, reason: string): Answer {
  const message = `The server process ended before it responded: ${reason}. Try again.`;
  return toErrorAnswer(id, { ...INTERNAL_ERROR, message });
}

function messageOf(error: unknown): string {
  return toLoggedError(error).message;
}
