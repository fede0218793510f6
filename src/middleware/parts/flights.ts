import { endsOneCall } from '../../errors/ends-one-call.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Snapshot } from './snapshot.ts';

/** Outcome of a load for the calls that wait for it. */
export type Landing =
  | { readonly kind: 'landed'; readonly snapshot: Snapshot }
  /** The result cannot be copied: each call must load its own. */
  | { readonly kind: 'unshareable' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The loading call was cancelled or takes too long: another call must load. */
  | { readonly kind: 'abandoned' };

/** A running load. */
export interface Flight {
  readonly landing: Promise<Landing>;
  /** Begins the time for which other calls wait. */
  begin(): void;
  /** Ends the load. Only the first call counts. */
  end(landing: Landing): void;
}

/** Maximum number of shared loads. Further loads run for their call only and are not cached. */
const MAX_FLIGHTS = 1000;

/** Running loads by key. */
export class Flights {
  readonly #flights = new Map<string, Flight>();
  readonly #maxSharedMs: number;
  readonly #clock: Clock;

  constructor(maxSharedMs: number, clock: Clock) {
    this.#maxSharedMs = maxSharedMs;
    this.#clock = clock;
  }

  /** The running load for a key, if any. */
  find(key: string): Flight | undefined {
    return this.#flights.get(key);
  }

  /** Registers a load. Others stop waiting for it when it is cancelled or, once begun, its time is up. Undefined if there are too many loads. */
  start(key: string, cancellation: Cancellation): Flight | undefined {
    if (this.#flights.size >= MAX_FLIGHTS) return undefined;
    let resolve: (landing: Landing) => void = () => {};
    const landing = new Promise<Landing>((settle) => {
      resolve = settle;
    });
    const abandon = (): void => end({ kind: 'abandoned' });
    let cancelTimer = (): void => {};
    let hasEnded = false;
    const begin = (): void => {
      if (!hasEnded) cancelTimer = this.#clock.schedule(abandon, this.#maxSharedMs);
    };
    const end = (ending: Landing): void => {
      hasEnded = true;
      cancelTimer();
      cancellation.offCancel(abandon);
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
      resolve(ending);
    };
    const flight: Flight = { landing, begin, end };
    this.#flights.set(key, flight);
    cancellation.onCancel(abandon);
    return flight;
  }
}

/** The outcome for a thrown error. */
export function toLanding(error: unknown): Landing {
  return endsOneCall(error) ? { kind: 'abandoned' } : { kind: 'failed', error };
}
