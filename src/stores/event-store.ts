import { assertOptions, FUNCTION, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { Shares } from './shares.ts';
import { weighText } from '../base/memory/weigh.ts';

/** One message that was sent on a stream. */
export interface StoredEvent {
  readonly id: string;
  readonly message: string;
}

/** Where messages of streams are kept for clients that come back. In memory by default; a shared one serves them on any machine. */
export interface EventStore {
  /**
   * Keeps a message; the event ids of a stream are unique and name their stream. `owner` is an opaque key of the caller: a store that is full
   * makes room at the expense of the owner who has most.
   */
  append(stream: string, message: string, owner?: string): MaybePromise<string>;
  /**
   * What came after an event on its stream, oldest first; undefined when the event is not known (any more). The id that
   * {@link startOf} gives stands before everything on a stream.
   */
  after(eventId: string): MaybePromise<readonly StoredEvent[] | undefined>;
  /** Forgets a stream. */
  drop(stream: string): MaybePromise<void>;
}

/** Options of {@link MemoryEventStore}. */
export interface MemoryEventStoreOptions {
  /** How many messages of one stream are kept; the oldest goes first. Default: 256. */
  readonly maxEvents?: number;
  /** How many characters of one stream are kept. Default: 262,144. */
  readonly maxChars?: number;
  /** How many streams are kept; of the owner who has most, the oldest goes first. Default: 10,000. */
  readonly maxStreams?: number;
  /** How many characters of all streams together are kept; of the owner who has most, the oldest stream goes first. Default: 67,108,864. */
  readonly maxTotalChars?: number;
  /** Called with the number of bytes that are kept now and were not before; negative for fewer. */
  readonly onBytes?: (change: number) => void;
}

/** What an event takes up beside its message: its id, and a place in a list. */
const EVENT_BYTES = 200;

interface Kept {
  readonly stream: string;
  readonly owner: string;
  readonly events: StoredEvent[];
  next: number;
  chars: number;
  bytes: number;
}

/** An id that stands before everything on a stream. */
export function startOf(stream: string): string {
  return `${stream}_`;
}

/** The stream that an event id belongs to. */
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

/** Keeps the messages of streams in this process. */
export class MemoryEventStore implements EventStore {
  readonly #streams = new Map<string, Kept>();
  readonly #maxEvents: number;
  readonly #maxChars: number;
  readonly #maxStreams: number;
  readonly #maxTotalChars: number;
  readonly #onBytes: (change: number) => void;
  /** Of all streams together. */
  #chars = 0;
  #current: string | undefined;
  /** Bytes of streams. */
  readonly #shares = new Shares();

  constructor(options: MemoryEventStoreOptions = {}) {
    assertOptions('MemoryEventStore', options, OPTIONS);
    this.#maxEvents = options.maxEvents ?? 256;
    this.#maxChars = options.maxChars ?? 262_144;
    this.#maxStreams = options.maxStreams ?? 10_000;
    this.#maxTotalChars = options.maxTotalChars ?? 67_108_864;
    this.#onBytes = options.onBytes ?? (() => {});
  }

  /** How many streams are kept. */
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
    // The newest stays, however large: it may be the answer that the client comes back for.
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

  /** Forgets the oldest stream of the owner who has most, but never the one that is being written to; false if there is no other. */
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
