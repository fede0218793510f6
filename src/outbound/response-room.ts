import type { Readable } from 'node:stream';

/** Shorter responses are read immediately and not counted. */
export const SHORT_RESPONSE_BYTES = 65_536;

/** Maximum bytes of all long responses that one client reads at the same time. */
const MAX_BYTES = 33_554_432;

/** Maximum bytes per server: a stalled server must not keep responses of others from being read. */
const MAX_BYTES_EACH = 16_777_216;

/** A long response that is being read. */
export interface LongResponse {
  /** Counts bytes that have arrived. The promise, if there is one, resolves when there is room for them, or when the source is closed. */
  take(bytes: number, source: Readable): Promise<void> | undefined;
  /** Called when the response has been read or aborted. */
  leave(): void;
}

/** The long responses of one server, in the order in which they became long. */
interface Line {
  readonly responses: Set<object>;
  bytes: number;
}

/** A part of a response that has arrived. */
interface Part {
  readonly line: Line;
  readonly response: object;
  readonly bytes: number;
}

/**
 * Bounds the bytes of long responses that are being read at the same time. Without room, a response waits unread, and back-pressure slows
 * its server down. The first response of each server is always read on: otherwise half-read responses would wait for each other.
 */
export class ResponseRoom {
  readonly #lines = new Map<string, Line>();
  readonly #waiting = new Map<Part, () => void>();
  #bytes = 0;

  /** The bytes of all long responses that are being read. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Called when a response turns out to be long. */
  enter(origin: string): LongResponse {
    const line = this.#lines.get(origin) ?? { responses: new Set(), bytes: 0 };
    this.#lines.set(origin, line);
    let taken = 0;
    const response: LongResponse = {
      take: (bytes, source) => {
        taken += bytes;
        return this.#take({ line, response, bytes }, source);
      },
      leave: () => {
        line.responses.delete(response);
        if (line.responses.size === 0) this.#lines.delete(origin);
        this.#count(line, -taken);
        for (const [part, letIn] of this.#waiting) if (this.#hasRoom(part)) letIn();
      },
    };
    line.responses.add(response);
    return response;
  }

  #take(part: Part, source: Readable): Promise<void> | undefined {
    if (this.#hasRoom(part) || source.destroyed) return this.#count(part.line, part.bytes);
    return new Promise((resolve) => {
      const letIn = (): void => {
        this.#waiting.delete(part);
        source.off('close', letIn);
        this.#count(part.line, part.bytes);
        resolve();
      };
      this.#waiting.set(part, letIn);
      source.once('close', letIn);
    });
  }

  #hasRoom({ line, response, bytes }: Part): boolean {
    const [first] = line.responses;
    if (first === response) return true;
    return line.bytes + bytes <= MAX_BYTES_EACH && this.#bytes + bytes <= MAX_BYTES;
  }

  #count(line: Line, bytes: number): undefined {
    line.bytes += bytes;
    this.#bytes += bytes;
  }
}
