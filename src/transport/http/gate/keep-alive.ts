import type { Clock } from '../../../base/time/clock.ts';
import { OpenItem, OpenList } from '../../../base/open-list.ts';

/** Something open that shows from time to time that it is alive. */
export abstract class KeptAlive extends OpenItem {
  /** When it was opened. */
  since = 0;

  abstract ping(): void;
}

/** An open stream, which is pinged by a function. */
export class OpenStream extends KeptAlive {
  readonly ping: () => void;

  constructor(ping: () => void) {
    super();
    this.ping = ping;
  }
}

/**
 * Pings everything that is open, with one timer for all. The timer outlasts what is open by one beat, because most requests are
 * answered before it: setting and clearing one for each would cost more than the rest of this.
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

  /** Pings it from time to time, until it is removed. */
  add(item: TItem): void {
    item.since = this.#clock.now();
    this.#open.add(item);
    this.#cancel ??= this.#schedule();
  }

  remove(item: TItem): void {
    // defence: end-of-keep-alive
    this.#open.remove(item);
  }

  /** All that are open now. */
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
    // What has only just begun needs no sign of life yet.
    for (const item of this.#open.all()) if (item.since <= before) item.ping();
    this.#cancel = !this.#open.isEmpty ? this.#schedule() : undefined;
  }
}
