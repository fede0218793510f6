import type { Clock } from '../../../base/time/clock.ts';
import { OpenItem, OpenList } from '../../../base/open-list.ts';

/** An open request or stream that needs keep-alive pings. */
export abstract class KeptAlive extends OpenItem {
  /** Time it was opened. */
  since = 0;

  abstract ping(): void;
}

/** An open stream, pinged by a function. */
export class OpenStream extends KeptAlive {
  readonly ping: () => void;

  constructor(ping: () => void) {
    super();
    this.ping = ping;
  }
}

/**
 * Pings all open items with one timer. The timer runs one interval longer than needed: most requests end before it fires, and a timer per
 * request would cost more than the rest of this.
 */
export class KeepAlive<TItem extends KeptAlive = KeptAlive> {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #open = new OpenList<TItem>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** Pings the item regularly until it is removed. */
  add(item: TItem): void {
    item.since = this.#clock.now();
    this.#open.add(item);
    this.#cancel ??= this.#schedule();
  }

  remove(item: TItem): void {
    // defence: end-of-keep-alive
    this.#open.remove(item);
  }

  /** All open items. */
  all(): TItem[] {
    return this.#open.all();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #schedule(): () => void {
    return this.#clock.schedule(() => this.#beat(), this.#everyMs, true);
  }

  #beat(): void {
    const before = this.#clock.now() - this.#everyMs / 2;
    // Items opened since the last ping need none yet.
    for (const item of this.#open.all()) if (item.since <= before) item.ping();
    this.#cancel = !this.#open.isEmpty ? this.#schedule() : undefined;
  }
}
