import type { MaybePromise } from '../schema/validated.ts';

/** One message that was sent on a stream. */
export interface StoredEvent {
  readonly id: string;
  readonly message: string;
}

/** Where messages of streams are kept for clients that come back. In memory by default; a shared one serves them on any machine. */
export interface EventStore {
  /** Keeps a message; the event ids of a stream are unique and name their stream. */
  append(stream: string, message: string): MaybePromise<string>;
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
  /** How many streams are kept; the oldest goes first. Default: 10,000. */
  readonly maxStreams?: number;
  /** How many characters of all streams together are kept; the oldest stream goes first. Default: 67,108,864. */
  readonly maxTotalChars?: number;
}

interface Kept {
  readonly events: StoredEvent[];
  next: number;
  chars: number;
}

/** An id that stands before everything on a stream. */
export function startOf(stream: string): string {
  return `${stream}_`;
}

/** The stream that an event id belongs to. */
export function streamOf(eventId: string): string {
  return eventId.slice(0, eventId.lastIndexOf('_'));
}

/** Keeps the messages of streams in this process. */
export class MemoryEventStore implements EventStore {
  readonly #streams = new Map<string, Kept>();
  readonly #maxEvents: number;
  readonly #maxChars: number;
  readonly #maxStreams: number;
  readonly #maxTotalChars: number;
  /** Of all streams together. */
  #chars = 0;

  constructor(options: MemoryEventStoreOptions = {}) {
    this.#maxEvents = options.maxEvents ?? 256;
    this.#maxChars = options.maxChars ?? 262_144;
    this.#maxStreams = options.maxStreams ?? 10_000;
    this.#maxTotalChars = options.maxTotalChars ?? 67_108_864;
  }

  /** How many streams are kept. */
  get size(): number {
    return this.#streams.size;
  }

  append(stream: string, message: string): string {
    const kept = this.#streams.get(stream) ?? this.#open(stream);
    const id = `${stream}_${kept.next}`;
    kept.next += 1;
    kept.chars += message.length;
    kept.events.push({ id, message });
    this.#chars += message.length;
    // The newest stays, however large: it may be the answer that the client comes back for.
    while (kept.events.length > 1 && (kept.events.length > this.#maxEvents || kept.chars > this.#maxChars)) {
      const oldest = kept.events.shift();
      if (oldest === undefined) break;
      kept.chars -= oldest.message.length;
      this.#chars -= oldest.message.length;
    }
    this.#makeRoom(stream);
    return id;
  }

  after(eventId: string): readonly StoredEvent[] | undefined {
    const stream = streamOf(eventId);
    const kept = this.#streams.get(stream);
    if (eventId === startOf(stream)) return kept?.events ?? [];
    const seen = Number(eventId.slice(eventId.lastIndexOf('_') + 1));
    if (kept === undefined || !Number.isInteger(seen) || seen < 0 || seen >= kept.next) return undefined;
    return kept.events.filter(({ id }) => Number(id.slice(id.lastIndexOf('_') + 1)) > seen);
  }

  drop(stream: string): void {
    this.#chars -= this.#streams.get(stream)?.chars ?? 0;
    this.#streams.delete(stream);
  }

  #open(stream: string): Kept {
    const kept: Kept = { events: [], next: 0, chars: 0 };
    this.#streams.set(stream, kept);
    return kept;
  }

  /** The oldest streams go first, but never the one that was just written to. */
  #makeRoom(current: string): void {
    for (const oldest of this.#streams.keys()) {
      if (this.#streams.size <= this.#maxStreams && this.#chars <= this.#maxTotalChars) break;
      if (oldest !== current) this.drop(oldest);
    }
  }
}
