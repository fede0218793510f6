import type { Clock } from '../../../base/time/clock.ts';
import type { MemoryAccount, MemoryBudget } from '../../../base/memory/memory-budget.ts';
import { OpenItem, OpenList } from '../../../base/open-list.ts';

/** Longer bodies are read a few at a time. */
export const SHORT_BODY_BYTES = 65_536;

/** Bodies that grew by less than {@link PROGRESS_BYTES} for so long make room for others. */
const STALL_MS = 250;

/** How often those that may have stalled are looked at, at most. */
const LOOK_MS = 25;

/** A body that grows by a few bytes at a time has stalled. */
const PROGRESS_BYTES = 4096;

/** How long a body waits for its turn. */
const MAX_WAIT_MS = 10_000;

/** The part of the memory budget that long bodies may take up together while they are read. */
const PART = 1 / 8;

/** They need no more than this: what many of them leave behind as garbage is several times as much. */
const MAX_ROOM_BYTES = 12_582_912;

const BLOCK_BYTES = 65_536;

/** So many blocks wait to be used again. */
const MAX_SPARE = 128;

/** How long they wait. */
const SPARE_MS = 1000;

/** Every piece costs time, however short it is; a body in thousands of tiny ones is nothing but an attack. */
const SMALL_PIECE_BYTES = 64;
const MAX_SMALL_PIECES = 4096;

/** A body that is being read. */
export abstract class OpenBody extends OpenItem {
  readonly account: MemoryAccount;
  /** The bytes taken from the account. */
  taken = 0;
  /** What a long body was let in with; 0 for all others. */
  reserved = 0;
  movedAt = 0;
  /** Bytes since then. */
  moved = 0;
  cancelWait: (() => void) | undefined;
  #smallPieces = 0;

  constructor(account: MemoryAccount) {
    super();
    this.account = account;
  }

  /** Counts a piece that has arrived; false if there are too many small ones. */
  countPiece(bytes: number): boolean {
    if (bytes < SMALL_PIECE_BYTES) this.#smallPieces += 1;
    return this.#smallPieces <= MAX_SMALL_PIECES;
  }

  /** Reads on. */
  abstract resume(): void;
  /** There is no room for it. */
  abstract refuse(): void;
}

/**
 * The bodies that are being read. Short ones are read at once. Long ones reserve all they may need and take turns, so that their number does
 * not matter. Bodies that have stalled are refused as soon as others need their room.
 */
export class ReadingRoom {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  /** Those that moved last are last. */
  readonly #open = new OpenList<OpenBody>();
  readonly #waiting = new Set<OpenBody>();
  readonly #spare: Uint8Array[] = [];
  readonly #reservedBy = new Map<string, number>();
  #reserved = 0;
  #isToLook = false;
  #isToForget = false;

  constructor(clock: Clock, memory: MemoryBudget) {
    this.#clock = clock;
    this.#maxBytes = Math.min(memory.maxBytes * PART, MAX_ROOM_BYTES);
    memory.onPressure('bodies', (isEnough) => this.#refuseStalled(isEnough));
  }

  /** A part of a body has arrived; false if there is no room for it. */
  take(body: OpenBody, bytes: number, isSmall: boolean): boolean {
    // A body that is let in has reserved what it needs.
    if (body.reserved === 0) {
      if (!body.account.take(bytes, isSmall)) return false;
      body.taken += bytes;
    }
    this.#move(body, bytes);
    return true;
  }

  /** A body turns out to be long: it is read on, waits unread until `resume` or `refuse` is called, or is refused. */
  // defence: room-of-long-bodies
  reserve(body: OpenBody, bytes: number): 'reads' | 'waits' | 'refused' {
    if (this.#waiting.size === 0 && this.#hasShare(body, bytes) && this.#fits(bytes))
      return this.#letIn(body, bytes) ? 'reads' : 'refused';
    const refuse = (): void => this.#refuse(body);
    const cancelWait = this.#clock.schedule(refuse, MAX_WAIT_MS, true);
    body.cancelWait = cancelWait;
    body.reserved = -bytes;
    this.#open.remove(body);
    this.#waiting.add(body);
    this.#lookLater();
    return 'waits';
  }

  /** A body is done with, whatever became of it. */
  leave(body: OpenBody): void {
    if (body.taken === 0) return;
    this.#open.remove(body);
    this.#waiting.delete(body);
    body.cancelWait?.();
    if (body.reserved > 0) this.#count(body, -body.reserved);
    body.account.give(body.taken);
    body.taken = 0;
    body.reserved = 0;
    if (this.#waiting.size > 0) this.#callNext();
  }

  /** A block to read into. Blocks are used again: the garbage of many bodies at once would be as large as all of them. */
  takeBlock(): Uint8Array {
    return this.#spare.pop() ?? new Uint8Array(BLOCK_BYTES);
  }

  returnBlocks(blocks: readonly Uint8Array[]): void {
    if (blocks.length === 0) return;
    this.#spare.push(...blocks.slice(0, MAX_SPARE - this.#spare.length));
    if (this.#isToForget) return;
    this.#isToForget = true;
    const forget = (): void => {
      this.#isToForget = false;
      this.#spare.length = 0;
    };
    this.#clock.schedule(forget, SPARE_MS, true);
  }

  #fits(bytes: number): boolean {
    return this.#reserved === 0 || this.#reserved + bytes <= this.#maxBytes;
  }

  /** Whether the caller has no more than half of the room; one body may be larger than that. */
  #hasShare({ account: { owner } }: OpenBody, bytes: number): boolean {
    const own = owner === undefined ? 0 : (this.#reservedBy.get(owner) ?? 0);
    return own === 0 || own + bytes <= this.#maxBytes / 2;
  }

  #count({ account: { owner } }: OpenBody, bytes: number): void {
    this.#reserved += bytes;
    if (owner === undefined) return;
    const own = (this.#reservedBy.get(owner) ?? 0) + bytes;
    if (own > 0) this.#reservedBy.set(owner, own);
    else this.#reservedBy.delete(owner);
  }

  #letIn(body: OpenBody, bytes: number): boolean {
    const more = bytes - body.taken;
    if (!body.account.take(more, false)) return false;
    body.taken += more;
    body.reserved = bytes;
    this.#count(body, bytes);
    this.#move(body, PROGRESS_BYTES);
    return true;
  }

  #move(body: OpenBody, bytes: number): void {
    body.moved += bytes;
    const isListed = body.previous !== undefined;
    if (isListed && body.moved < PROGRESS_BYTES) return;
    body.moved = 0;
    body.movedAt = this.#clock.now();
    if (isListed) this.#open.remove(body);
    this.#open.add(body);
  }

  #callNext(): void {
    for (let body = this.#shortest(); body !== undefined; body = this.#shortest()) {
      const bytes = -body.reserved;
      if (!this.#fits(bytes)) return this.#lookLater();
      this.#waiting.delete(body);
      body.cancelWait?.();
      body.reserved = 0;
      if (this.#letIn(body, bytes)) body.resume();
      else this.#refuse(body);
    }
  }

  /** The shortest of those that wait for others than themselves: few of them have to wait for long ones that way. */
  #shortest(): OpenBody | undefined {
    let shortest: OpenBody | undefined;
    for (const body of this.#waiting) {
      if (shortest !== undefined && body.reserved <= shortest.reserved) continue;
      if (this.#hasShare(body, -body.reserved)) shortest = body;
    }
    return shortest;
  }

  #lookLater(): void {
    const { first } = this.#open;
    if (first === undefined || this.#isToLook) return;
    this.#isToLook = true;
    const inMs = Math.max(LOOK_MS, first.movedAt + STALL_MS - this.#clock.now());
    this.#clock.schedule(() => this.#look(), inMs, true);
  }

  #look(): void {
    this.#isToLook = false;
    const next = this.#shortest();
    if (next === undefined) return;
    const bytes = -next.reserved;
    // defence: refusal-of-stalled-bodies
    this.#refuseStalled(() => !this.#waiting.has(next) || this.#fits(bytes), isLong);
    this.#callNext();
    if (this.#waiting.size > 0) this.#lookLater();
  }

  #refuseStalled(isEnough: () => boolean, mayGo: (body: OpenBody) => boolean = isAny): void {
    const before = this.#clock.now() - STALL_MS;
    for (const body of this.#open.all()) {
      if (body.movedAt > before || isEnough()) return;
      // One that left meanwhile is in no list.
      if (body.previous !== undefined && mayGo(body)) this.#refuse(body);
    }
  }

  #refuse(body: OpenBody): void {
    this.leave(body);
    body.refuse();
  }
}

function isAny(): boolean {
  return true;
}

function isLong({ reserved }: OpenBody): boolean {
  return reserved > 0;
}
