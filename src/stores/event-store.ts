import { assertOptions, FUNCTION, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { Shares } from './shares.ts';
import { weighText } from '../base/memory/weigh.ts';

/** A message that was sent on a stream. */
export interface StoredEvent {
  readonly id: string;
  readonly message: string;
}

/** Store of stream messages for clients that resume. Default: in memory. Implement it to resume streams on any machine. */
export interface EventStore {
  /**
   * Stores a message and returns its unique event id, of the form `<stream>_<suffix>` without `_` in the suffix. `owner` is an opaque key of
   * the caller: a full store drops entries of the owner that has most.
   */
  append(stream: string, message: string, owner?: string): MaybePromise<string>;
  /**
   * Returns the messages after an event of a stream, oldest first; undefined if the event is unknown. The id `<stream>_` precedes all
   * messages of a stream.
   */
  after(eventId: string): MaybePromise<readonly StoredEvent[] | undefined>;
  /** Deletes a stream. */
  drop(stream: string): MaybePromise<void>;
}

/** Options of {@link MemoryEventStore}. */
export interface MemoryEventStoreOptions {
  /** Maximum number of messages per stream; the oldest is dropped first. Default: 256. */
  readonly maxEvents?: number;
  /** Maximum number of characters per stream. Default: 262,144. */
  readonly maxChars?: number;
  /** Maximum number of streams; the oldest of the owner that has most is dropped first. Default: 10,000. */
  readonly maxStreams?: number;
  /** Maximum number of characters of all streams; the oldest stream of the owner that has most is dropped first. Default: 67,108,864. */
  readonly maxTotalChars?: number;
  /** Called with the change of the stored bytes; negative if they decrease. */
  readonly onBytes?: (change: number) => void;
}

/** Overhead of an event: its id and its entry in an array. */
const EVENT_BYTES = 200;

interface Kept {
  readonly stream: string;
  readonly owner: string;
  readonly events: StoredEvent[];
  next: number;
  chars: number;
  bytes: number;
}

/** Event id that precedes all messages of a stream. */
export function startOf(stream: string): string {
  return `${stream}_`;
}

/** The stream of an event id. */
export function streamOf(eventId: string): string {
  return eventId.slice(0, eventId.lastIndexOf('_'));
}

const OPTIONS: Rules<keyof MemoryEventStoreOptions> = {
  maxEvents: wholeNumber(0),
  maxChars: wholeNumber(0),
  maxStreams: wholeNumber(0),
  maxTotalChars: wholeNumber(0),
  onBytes: FUNCTION,
};

/** In-memory event store. */
export class MemoryEventStore implements EventStore {
  readonly #streams = new Map<string, Kept>();
  readonly #maxEvents: number;
  readonly #maxChars: number;
  readonly #maxStreams: number;
  readonly #maxTotalChars: number;
  readonly #onBytes: (change: number) => void;
  /** Characters of all streams. */
  #chars = 0;
  #current: string | undefined;
  /** Bytes of streams by owner. */
  readonly #shares = new Shares();

  constructor(options: MemoryEventStoreOptions = {}) {
    assertOptions('MemoryEventStore', options, OPTIONS);
    this.#maxEvents = options.maxEvents ?? 256;
    this.#maxChars = options.maxChars ?? 262_144;
    this.#maxStreams = options.maxStreams ?? 10_000;
    this.#maxTotalChars = options.maxTotalChars ?? 67_108_864;
    this.#onBytes = options.onBytes ?? (() => {});
  }

  /** Number of streams. */
  get size(): number {
    return this.#streams.size;
  }

  append(stream: string, message: string, owner = ''): string {
    const kept = this.#streams.get(stream) ?? this.#open(stream, owner);
    this.#current = stream;
    const id = `${stream}_${kept.next}`;
    kept.next += 1;
    kept.events.push({ id, message });
    this.#count(kept, message, 1);
    // The newest message is always kept: it may be the response that the client resumes for.
    // defence: bound-of-kept-events
    while (kept.events.length > 1 && (kept.events.length > this.#maxEvents || kept.chars > this.#maxChars)) {
      const oldest = kept.events.shift();
      if (oldest === undefined) break;
      this.#count(kept, oldest.message, -1);
    }
    this.#makeRoom();
    this.#current = undefined;
    return id;
  }

  /** Drops the oldest stream of the owner that has most, except the one that is being written; false if there is no other. */
  dropOldest(): boolean {
    const oldest = this.#shares.next(this.#current);
    if (oldest !== undefined) this.drop(oldest);
    return oldest !== undefined;
  }

  // defence: kept-events
  after(eventId: string): readonly StoredEvent[] | undefined {
    const stream = streamOf(eventId);
    const kept = this.#streams.get(stream);
    if (eventId === startOf(stream)) return kept?.events ?? [];
    const seen = Number(eventId.slice(eventId.lastIndexOf('_') + 1));
    if (kept === undefined || !Number.isInteger(seen) || seen < 0 || seen >= kept.next) return undefined;
    return kept.events.filter(({ id }) => Number(id.slice(id.lastIndexOf('_') + 1)) > seen);
  }

  drop(stream: string): void {
    const kept = this.#streams.get(stream);
    if (kept === undefined) return;
    this.#streams.delete(stream);
    this.#chars -= kept.chars;
    this.#shares.remove(kept.owner, stream);
    this.#onBytes(-kept.bytes);
  }

  #count(kept: Kept, message: string, sign: 1 | -1): void {
    const bytes = sign * (weighText(message) + EVENT_BYTES);
    kept.chars += sign * message.length;
    kept.bytes += bytes;
    this.#chars += sign * message.length;
    this.#shares.add(kept.owner, kept.stream, bytes);
    this.#onBytes(bytes);
  }

  #open(stream: string, owner: string): Kept {
    const kept: Kept = { stream, owner, events: [], next: 0, chars: 0, bytes: 0 };
    this.#streams.set(stream, kept);
    return kept;
  }

  #makeRoom(): void {
    while (this.#streams.size > this.#maxStreams || this.#chars > this.#maxTotalChars)
      if (!this.dropOldest()) return;
  }
}
