import type { Clock } from '../../stores/clock.ts';

/** Something that shows from time to time that it is alive. */
export interface Pinged {
  ping(): void;
}

/**
 * Pings everything that is open, with one timer for all. The timer outlasts what is open by one beat, because most requests are
 * answered before it: setting and clearing one for each would cost more than the rest of this.
 */
export class KeepAlive {
  readonly #clock: Clock;
  readonly #everyMs: number;
  /** What is open, and since when. */
  readonly #open = new Map<Pinged, number>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  add(pinged: Pinged): void {
    this.#open.set(pinged, this.#clock.now());
    this.#cancel ??= this.#schedule();
  }

  delete(pinged: Pinged): void {
    this.#open.delete(pinged);
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
    for (const [pinged, since] of this.#open) if (since <= before) pinged.ping();
    this.#cancel = this.#open.size > 0 ? this.#schedule() : undefined;
  }
}
