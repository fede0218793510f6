import type { Clock } from '../../../base/time/clock.ts';
import type { MemoryAccount, MemoryBudget } from '../../../base/memory/memory-budget.ts';
import { OpenItem, OpenList } from '../../../base/open-list.ts';

/** Only a few longer bodies are read at a time. */
export const SHORT_BODY_BYTES = 65_536;

/** A body that grew by less than {@link PROGRESS_BYTES} in this time has stalled; it is rejected if others need memory. */
const STALL_MS = 250;

/** Minimum interval between searches for stalled bodies. */
const LOOK_MS = 25;

/** A body that grows by less has stalled. */
const PROGRESS_BYTES = 4096;

/** Time a body is queued. */
const MAX_WAIT_MS = 10_000;

/** Part of the memory budget that all long bodies may use while they are read. */
const PART = 1 / 8;

/** Upper limit of that part: the garbage of many bodies is several times as large. */
const MAX_ROOM_BYTES = 8_388_608;

const BLOCK_BYTES = 65_536;

/** Maximum number of spare blocks. */
const MAX_SPARE = 128;

/** Time spare blocks are kept. */
const SPARE_MS = 1000;

/** Every chunk costs time, even a tiny one; a body of thousands of tiny chunks is an attack. */
const SMALL_PIECE_BYTES = 64;
const MAX_SMALL_PIECES = 4096;

/** A body that is being read. */
export abstract class OpenBody extends OpenItem {
  readonly account: MemoryAccount;
  /** Bytes taken from the memory account. */
  taken = 0;
  /** Bytes reserved for a long body; 0 for others. */
  reserved = 0;
  movedAt = 0;
  /** Bytes received since then. */
  moved = 0;
  cancelWait: (() => void) | undefined;
  #smallPieces = 0;

  constructor(account: MemoryAccount) {
    super();
    this.account = account;
  }

  /** Counts a chunk; false if there are too many small ones. */
  countPiece(bytes: number): boolean {
    if (bytes < SMALL_PIECE_BYTES) this.#smallPieces += 1;
    return this.#smallPieces <= MAX_SMALL_PIECES;
  }

  /** Continues reading. */
  abstract resume(): void;
  /** Rejects the body for lack of memory. */
  abstract refuse(): void;
}

/**
 * The bodies that are being read. Short ones are read immediately. Long ones reserve the memory they may need and take turns, so that their
 * number does not matter. Stalled bodies are rejected as soon as others need memory.
 */
export class ReadingRoom {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  /** Ordered by last progress, the most recent last. */
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

  /** Counts a received chunk; false if the memory budget is used up. */
  take(body: OpenBody, bytes: number, isSmall: boolean): boolean {
    // A long body has already reserved its memory.
    if (body.reserved === 0) {
      if (!body.account.take(bytes, isSmall)) return false;
      body.taken += bytes;
    }
    this.#move(body, bytes);
    return true;
  }

  /** Reserves memory for a long body: it is read, queued until `resume` or `refuse` is called, or rejected. */
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

  /** Removes a body, complete or not. */
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

  /** Returns a block to read into. Blocks are reused: the garbage of many concurrent bodies would be as large as all of them. */
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

  /** Whether the caller uses at most half of the memory; a single body may exceed it. */
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

  /** The shortest queued body whose caller has a share left: few bodies then wait for long ones. */
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
      // A body that has left meanwhile is in no list.
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
