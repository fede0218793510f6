import { endsOneCall } from '../../errors/ends-one-call.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Snapshot } from './snapshot.ts';

/** What those learn who wait for somebody else's load. */
export type Landing =
  | { readonly kind: 'landed'; readonly snapshot: Snapshot }
  /** The result cannot be copied: everybody has to fetch their own. */
  | { readonly kind: 'unshareable' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Whoever was loading has gone or takes too long: somebody else has to load. */
  | { readonly kind: 'abandoned' };

/** One load under way. */
export interface Flight {
  readonly landing: Promise<Landing>;
  /** Ends it. Only the first ending counts. */
  end(landing: Landing): void;
}

/** So many loads are shared at once. Others run for their caller alone, and what they give is not cached. */
const MAX_FLIGHTS = 1000;

/** The loads under way, by what they load. */
export class Flights {
  readonly #flights = new Map<string, Flight>();
  readonly #maxSharedMs: number;
  readonly #clock: Clock;

  constructor(maxSharedMs: number, clock: Clock) {
    this.#maxSharedMs = maxSharedMs;
    this.#clock = clock;
  }

  /** The load to wait for, if there is one. */
  find(key: string): Flight | undefined {
    return this.#flights.get(key);
  }

  /** Announces a load. When its signal is aborted, or its time is up, others no longer wait for it. Undefined when there are too many. */
  start(key: string, signal: AbortSignal): Flight | undefined {
    if (this.#flights.size >= MAX_FLIGHTS) return undefined;
    let resolve: (landing: Landing) => void = () => {};
    const landing = new Promise<Landing>((settle) => {
      resolve = settle;
    });
    const abandon = (): void => end({ kind: 'abandoned' });
    const cancelTimer = this.#clock.schedule(abandon, this.#maxSharedMs);
    const end = (ending: Landing): void => {
      cancelTimer();
      signal.removeEventListener('abort', abandon);
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
      resolve(ending);
    };
    const flight: Flight = { landing, end };
    this.#flights.set(key, flight);
    signal.addEventListener('abort', abandon, { once: true });
    if (signal.aborted) abandon();
    return flight;
  }
}

/** The ending for something thrown. */
export function toLanding(error: unknown): Landing {
  return endsOneCall(error) ? { kind: 'abandoned' } : { kind: 'failed', error };
}
