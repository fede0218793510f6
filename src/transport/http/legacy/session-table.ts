import { MemoryEventStore } from '../../../stores/event-store.ts';
import type { EventStore } from '../../../stores/event-store.ts';
import type { MemoryAccount, MemoryBudget } from '../../../base/memory/memory-budget.ts';
import { Quota } from '../../../base/quota.ts';
import type { QuotaOwner } from '../../../base/quota.ts';
import { weighText } from '../../../base/memory/weigh.ts';
import { weighSession } from '../../../wire/sessions/legacy-session.ts';
import type { Begun } from '../../../wire/sessions/legacy-session.ts';
import type { Served } from '../../../wire/served/served.ts';
import { HTTP_DEFAULTS } from '../message/http-options.ts';
import type { SessionOptions } from '../message/http-options.ts';
import { HttpSession } from './http-session.ts';
import type { SharedParts } from './http-session.ts';

/** Timeout of the handshake. */
const HANDSHAKE_MS = 10_000;

/** Memory account of a session; and its parts, if several nodes serve it. */
interface Opening {
  readonly account: MemoryAccount;
  readonly shared?: SharedParts;
}

/** The sessions of one endpoint. Expired sessions are removed when the next request arrives. */
export class SessionTable {
  readonly #served: Served;
  readonly #store: EventStore;
  readonly #idleMs: number;
  /** Ordered by last use, the least recently used first. */
  readonly #sessions = new Map<string, HttpSession>();
  readonly #quota: Quota;
  /** No session expires before this time: sessions can only have been used again since. */
  #nextExpiry = 0;

  constructor(served: Served, options: SessionOptions) {
    const { maxSessions, maxSessionsPerCaller, idleMs } = { ...HTTP_DEFAULTS, ...options };
    this.#served = served;
    this.#store = options.eventStore ?? toEventStore(served.memory);
    served.memory.onPressure('sessions', (isEnough) => {
      const before = served.clock.now() - HANDSHAKE_MS;
      const isLeft = (session: HttpSession): boolean => isUnready(session) && session.lastSeen <= before;
      while (!isEnough() && this.#removeFirst(isLeft)) continue;
    });
    this.#idleMs = idleMs;
    this.#quota = new Quota(maxSessions, maxSessionsPerCaller);
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Opens a session; undefined if there are too many. */
  open(handshake: Begun, quotaOwner: QuotaOwner, { account, shared }: Opening): HttpSession | undefined {
    this.#expire(this.#served.clock.now());
    const giveBack = this.#takeQuota(quotaOwner);
    if (giveBack === undefined) return undefined;
    const bytes = weighSession(handshake) + (shared === undefined ? 0 : weighText(shared.id));
    if (!account.take(bytes)) {
      giveBack();
      return undefined;
    }
    const release = (): void => {
      giveBack();
      account.give(bytes);
    };
    const { owner } = quotaOwner;
    const store = this.#store;
    const session = new HttpSession(this.#served, { handshake, owner, store, account, release, shared });
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Takes quota for a session. If it is used up, the oldest session without a finished handshake is removed, of the same caller first. */
  #takeQuota(quotaOwner: QuotaOwner): (() => void) | undefined {
    const isOwn = (session: HttpSession): boolean => isUnready(session) && session.owner === quotaOwner.owner;
    const taken = this.#quota.take(quotaOwner);
    if (taken !== undefined) return taken;
    // If the caller has used up its own quota, removing a session of another caller does not help.
    const hasMadeRoom = this.#removeFirst(isOwn) || (this.#quota.isFull && this.#removeFirst(isUnready));
    return hasMadeRoom ? this.#quota.take(quotaOwner) : undefined;
  }

  #removeFirst(mayGo: (session: HttpSession) => boolean): boolean {
    for (const session of this.#sessions.values()) {
      if (!mayGo(session)) continue;
      this.remove(
        session,
        'The client did not finish the handshake, and the server needed room for other sessions.',
      );
      return true;
    }
    return false;
  }

  /** Finds a session of this caller. Sessions of other callers do not exist for it. */
  find(id: string, owner: string): HttpSession | undefined {
    const now = this.#served.clock.now();
    if (now >= this.#nextExpiry) this.#expire(now);
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    // defence: owners-of-sessions
    if (session.owner !== owner) return undefined;
    this.#touch(session, now);
    return session;
  }

  /** Ends a session; `isOver`: on all nodes that serve it. */
  remove(session: HttpSession, reason: string, isOver?: boolean): void {
    if (!this.#sessions.delete(session.id)) return;
    session.close(reason, isOver);
  }

  /** Closes the standalone streams of all sessions. */
  release(): void {
    for (const session of this.#sessions.values()) session.release();
  }

  close(): void {
    for (const session of Array.from(this.#sessions.values())) this.remove(session, 'The server is closing.');
  }

  #touch(session: HttpSession, now: number): void {
    if (session.lastSeen === now) return;
    session.lastSeen = now;
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
  }

  #expire(now: number): void {
    const before = now - this.#idleMs;
    this.#nextExpiry = now + this.#idleMs;
    for (const session of this.#sessions.values()) {
      if (session.lastSeen > before) {
        this.#nextExpiry = session.lastSeen + this.#idleMs;
        return;
      }
      // Moves to the end of the list, which is ordered by last use.
      if (session.isBusy) this.#touch(session, now);
      else this.remove(session, 'The session expired.');
    }
  }
}

/** Whether the session may be removed for another one. A shared session is opened again from its id. */
function isUnready(session: HttpSession): boolean {
  return (session.shared !== undefined || !session.legacy.isInUse) && !session.isBusy;
}

function toEventStore(memory: MemoryBudget): EventStore {
  const store = new MemoryEventStore({ onBytes: (change) => memory.add(change) });
  memory.onPressure('events', (isEnough) => {
    while (!isEnough() && store.dropOldest()) continue;
  });
  return store;
}
