import { asked } from './asked.ts';
import type { ChildServer } from './child-server.ts';

/** Counts of the calls of a tool, by outcome. */
export interface CallCounts {
  readonly started: number;
  readonly running: number;
  readonly finished: number;
  readonly aborted: number;
}

/** Receives the outcome of each call from `apps/cancellable.mjs`. */
export class CallEvents {
  readonly #child: ChildServer;
  readonly #times = new Map<string, number>();
  readonly #waiting = new Map<string, () => void>();

  constructor(child: ChildServer) {
    this.#child = child;
    child.process.on('message', (message: { readonly began?: string; readonly stopped?: string }) => {
      if (message.began !== undefined) this.#note(`began ${message.began}`);
      if (message.stopped !== undefined) this.#note(`stopped ${message.stopped}`);
    });
  }

  /** Waits until the handler of a call has begun. */
  async began(key: string): Promise<void> {
    if ((await this.#time(`began ${key}`, 30_000)) === undefined) throw new Error(`${key} never began`);
  }

  /** Waits until the handler of a call is cancelled; resolves to the time, or to undefined after the timeout. */
  stopped(key: string, withinMs: number): Promise<number | undefined> {
    return this.#time(`stopped ${key}`, withinMs);
  }

  hasStopped(key: string): boolean {
    return this.#times.has(`stopped ${key}`);
  }

  counts(): Promise<CallCounts> {
    return asked(this.#child, 'counts', 'started');
  }

  /** Releases one call, or all of them. */
  release(key?: string): void {
    this.#child.process.send(key === undefined ? 'release' : { release: key });
  }

  #note(event: string): void {
    this.#times.set(event, performance.now());
    this.#waiting.get(event)?.();
    this.#waiting.delete(event);
  }

  async #time(event: string, withinMs: number): Promise<number | undefined> {
    if (!this.#times.has(event)) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#waiting.set(event, () => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return this.#times.get(event);
  }
}
