import type { MaybePromise } from '../base/maybe-promise.ts';

/** Event that is published to subscribed clients. */
export type ServerEvent = {
  /** Name of the server whose clients are notified. Undefined: the clients of every server on the bus. */
  readonly server?: string;
} & (
  | {
      readonly kind: 'tools' | 'prompts' | 'resources';
      /** `catalog`: something was registered or removed; only callers whose list has changed are notified. Undefined: all callers are notified. */
      readonly cause?: 'catalog';
    }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'task'; readonly owner: string; readonly task: Readonly<Record<string, unknown>> }
  /** Between the machines that serve one session; never sent to clients. */
  | { readonly kind: 'session'; readonly session: string; readonly change: Readonly<Record<string, unknown>> }
);

/** Carries events to all subscribed clients. Default: in memory. Implement it to notify the clients of all machines. */
export interface EventBus {
  /** Sends an event to all subscribers, on all machines. */
  publish(event: ServerEvent): MaybePromise<void>;
  /** Calls the listener with every event, including those published here. The returned function unsubscribes. */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** In-memory event bus, within this process. */
export class MemoryEventBus implements EventBus {
  readonly #listeners = new Set<(event: ServerEvent) => void>();

  /** Number of subscribers. */
  get size(): number {
    return this.#listeners.size;
  }

  publish(event: ServerEvent): void {
    for (const listener of Array.from(this.#listeners)) listener(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const own = (event: ServerEvent): void => listener(event);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }
}

/** The events of one server on a bus that several servers may share. */
export class ServerEventBus implements EventBus {
  /** Whether no bus was passed, so that events stay in this server. */
  readonly isPrivate: boolean;
  readonly #bus: EventBus;
  readonly #server: string;

  constructor(bus: EventBus | undefined, server: string) {
    this.isPrivate = bus === undefined;
    this.#bus = bus ?? new MemoryEventBus();
    this.#server = server;
  }

  publish(event: ServerEvent): MaybePromise<void> {
    return this.#bus.publish({ ...event, server: this.#server });
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    return this.#bus.subscribe((event) => {
      const { server = this.#server } = event;
      // defence: events-of-this-server
      if (server !== this.#server) return;
      listener(event);
    });
  }
}
