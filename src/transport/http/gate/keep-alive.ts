import type { Clock } from '../../../base/time/clock.ts';
import { OpenItem, OpenList } from '../../../base/open-list.ts';

/** Something that shows from time to time that it is alive. */
export interface Pinged {
  ping(): void;
}

/** Something that is open, and since when. */
export class KeptAlive extends OpenItem {
  readonly pinged: Pinged;
  readonly since: number;

  constructor(pinged: Pinged, since: number) {
    super();
    this.pinged = pinged;
    this.since = since;
  }
}

/**
 * Pings everything that is open, with one timer for all. The timer outlasts what is open by one beat, because most requests are
 * answered before it: setting and clearing one for each would cost more than the rest of this.
 */
export class KeepAlive {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #open = new OpenList<KeptAlive>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** Pings it from time to time, until what is returned is removed. */
  add(pinged: Pinged): KeptAlive {
    const kept = new KeptAlive(pinged, this.#clock.now());
    this.#open.add(kept);
    this.#cancel ??= this.#schedule();
    return kept;
  }

  remove(kept: KeptAlive): void {
    // defence: end-of-keep-alive
    this.#open.remove(kept);
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
    for (const { pinged, since } of this.#open.all()) if (since <= before) pinged.ping();
    this.#cancel = !this.#open.isEmpty ? this.#schedule() : undefined;
  }
}
