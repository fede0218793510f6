import type { Clock } from '../../stores/clock.ts';

/** Something that shows from time to time that it is alive. */
export interface Pinged {
  ping(): void;
}

/** Pings everything that is open, with one timer for all, and none while nothing is open. */
export class KeepAlive {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #open = new Map<Pinged, number>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  add(pinged: Pinged): void {
    this.#open.set(pinged, this.#clock.now());
    this.#cancel ??= this.#clock.schedule(() => this.#ping(), this.#everyMs);
  }

  delete(pinged: Pinged): void {
    this.#open.delete(pinged);
    if (this.#open.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #ping(): void {
    const before = this.#clock.now() - this.#everyMs / 2;
    // What has only just begun needs no sign of life yet.
    for (const [pinged, since] of this.#open) if (since <= before) pinged.ping();
    this.#cancel = this.#open.size > 0 ? this.#clock.schedule(() => this.#ping(), this.#everyMs) : undefined;
  }
}
