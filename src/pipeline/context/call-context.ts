import type { Logger } from '../../errors/logger.ts';
import type { CacheHelpers } from '../../stores/cache-helpers.ts';
import { StoredState } from '../../stores/state/caller-state.ts';
import type { HttpContext, Principal, StandardContext } from '../../middleware/context.ts';
import type { ClientDescription, Dialogue } from '../../middleware/dialogue.ts';
import type { ToolCall } from './call.ts';
import type { CallContextParts, WaitWatcher } from './call-context-parts.ts';
import { ClientTalk, NO_CLIENT } from './client-talk.ts';
import { ReaderWaits } from './reader-waits.ts';
import { SENT, toReporter } from './progress-reporter.ts';
import { toUpdate } from './progress-update.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import { findStateOwner } from '../../middleware/parts/caller-identity.ts';
import { CallCancellation } from '../../middleware/parts/call-cancellation.ts';

/** The context of one call. */
export class CallContext implements StandardContext {
  readonly name: string;
  readonly action: string | undefined;
  readonly operation: string;
  readonly accessToken: string | undefined;
  readonly principal: Principal | undefined;
  readonly requestId: string | number | undefined;
  readonly http: HttpContext | undefined;
  readonly rawArguments: Readonly<Record<string, unknown>>;
  readonly log: Logger;
  readonly cache: CacheHelpers;
  readonly progress: StandardContext['progress'];
  readonly dialogue: Dialogue | undefined;
  /** Name of the server; see `ownerOfCall`. */
  readonly servedBy: string;
  /** Id of a connection with one caller; see `findStateOwner`. */
  readonly connection: string | undefined;
  private readonly meta: ToolCall['meta'];
  private readonly collaborators: CallContextParts['collaborators'];
  private talking: ClientTalk | undefined = undefined;
  private stored: StoredState | undefined = undefined;
  /** The first to be notified when the call waits for its client. */
  waitWatcher: WaitWatcher | undefined = undefined;
  private watchers: ((isWaiting: boolean) => void)[] = NOBODY;
  /** The cancellation of the call; while a deadline inside the chain runs, that of the part behind it. See `narrowCancellation`. */
  cancellation: CallCancellation;
  private readonly stopping: CallCancellation;
  private isOver = false;
  private waits: ReaderWaits | undefined = undefined;

  constructor(parts: CallContextParts, call: ToolCall, rawArguments: Readonly<Record<string, unknown>>) {
    this.name = parts.name;
    this.action = parts.subject.action;
    this.operation = parts.operation;
    this.log = parts.log;
    this.cache = parts.cache;
    this.accessToken = call.accessToken;
    this.principal = call.principal;
    this.requestId = call.requestId;
    this.http = call.http;
    this.rawArguments = rawArguments;
    this.dialogue = call.dialogue;
    this.servedBy = parts.server;
    this.connection = call.connection;
    this.meta = call.meta;
    this.collaborators = parts.collaborators;
    this.stopping = new CallCancellation(parts.log);
    this.cancellation = this.stopping;
    const { onProgress } = call;
    if (onProgress === undefined) this.progress = noProgress;
    else {
      const isOver = (): boolean => this.isOver || this.stopping.isCancelled;
      const report = toReporter(onProgress, { log: parts.log, isOver, waits: () => this.readerWaits() });
      // defence: progress-leaves-the-deadline-alone
      this.progress = (...update) => report(toUpdate(...update));
    }
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  get client(): ClientDescription {
    return this.dialogue?.client ?? NO_CLIENT;
  }

  get traceparent(): string | undefined {
    return textOf(this.meta, 'traceparent');
  }

  get tracestate(): string | undefined {
    return textOf(this.meta, 'tracestate');
  }

  get baggage(): string | undefined {
    return textOf(this.meta, 'baggage');
  }

  // Functions that can be detached from the context, created on first use.

  get ask(): StandardContext['ask'] {
    return this.talk().ask;
  }

  get askUrl(): StandardContext['askUrl'] {
    return this.talk().askUrl;
  }

  get askModel(): StandardContext['askModel'] {
    return this.talk().askModel;
  }

  get askRoots(): StandardContext['askRoots'] {
    return this.talk().askRoots;
  }

  get step(): StandardContext['step'] {
    return this.talk().step;
  }

  get state(): StandardContext['state'] {
    return this.storage().state;
  }

  get createHandle(): StandardContext['createHandle'] {
    return this.storage().createHandle;
  }

  get readHandle(): StandardContext['readHandle'] {
    return this.storage().readHandle;
  }

  get startTask(): StandardContext['startTask'] {
    return async () => this.dialogue?.startTask();
  }

  get sendLog(): StandardContext['sendLog'] {
    // Not async: its frame would keep the message in memory while the reader is slow.
    return (level, data, logger) => {
      // defence: silence-of-what-is-over
      if (this.isOver || this.stopping.isCancelled) return SENT;
      const sent = this.dialogue?.sendLog(level, data, logger);
      return isPromiseLike(sent) ? this.readerWaits().until(sent) : SENT;
    };
  }

  get releaseStream(): StandardContext['releaseStream'] {
    return () => this.dialogue?.releaseStream();
  }

  /** Notifies when the call starts and stops waiting for its client, so that deadlines can pause. */
  watchWaiting(watch: (isWaiting: boolean) => void): () => void {
    this.watchers = [...this.watchers, watch];
    return () => {
      this.watchers = this.watchers.filter((other) => other !== watch);
    };
  }

  /** Whether the call waits for its client. */
  get isWaiting(): boolean {
    return this.talking?.isWaiting === true;
  }

  /** Whether the call was told to stop; behind a deadline of the chain, whether that has passed. */
  get hasStopped(): boolean {
    return this.cancellation.isCancelled;
  }

  /** Tells the handler to stop. */
  stop(reason: unknown): void {
    this.stopping.cancel(reason);
    this.waits?.end();
  }

  /** The response is sent: nothing more may be sent for the call. */
  end(): void {
    this.isOver = true;
    this.waits?.end();
  }

  private readerWaits(): ReaderWaits {
    this.waits ??= new ReaderWaits();
    return this.waits;
  }

  private storage(): StoredState {
    this.stored ??= new StoredState({
      store: this.collaborators.stateStore,
      owner: findStateOwner(this),
      maxBytes: this.collaborators.maxResultBytes,
    });
    return this.stored;
  }

  private talk(): ClientTalk {
    this.talking ??= new ClientTalk({
      dialogue: this.dialogue,
      schemas: this.collaborators.askedSchemas,
      maxBytes: this.collaborators.maxResultBytes,
      isOver: () => this.isOver || this.hasStopped,
      onWait: (isWaiting) => {
        this.waitWatcher?.onWait(isWaiting);
        for (const watch of this.watchers) watch(isWaiting);
      },
    });
    return this.talking;
  }
}

const NOBODY: ((isWaiting: boolean) => void)[] = [];

const noProgress = (): Promise<void> => SENT;

function textOf(meta: ToolCall['meta'], key: string): string | undefined {
  const value = meta?.[key];
  return typeof value === 'string' ? value : undefined;
}
