import type { MaybePromise } from '../base/maybe-promise.ts';

/** Something of which clients may want to hear. */
export type ServerEvent =
  | {
      readonly kind: 'tools' | 'prompts' | 'resources';
      /** Something was registered or removed: only callers whose list is another one are told. Without a cause, all are told. */
      readonly cause?: 'catalog';
    }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'task'; readonly owner: string; readonly task: Readonly<Record<string, unknown>> };

/** Carries events to every place where clients listen. In memory by default; a shared one tells all machines. */
export interface EventBus {
  publish(event: ServerEvent): MaybePromise<void>;
  /** Calls back with every event, also those published here; the returned function ends it. */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** Carries events within this process. */
export class MemoryEventBus implements EventBus {
  readonly #listeners = new Set<(event: ServerEvent) => void>();

  /** How many listen. */
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
