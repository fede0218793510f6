import { MemoryEventStore } from '../../stores/event-store.ts';
import type { EventStore } from '../../stores/event-store.ts';
import { Places } from '../../stores/places.ts';
import type { PlaceOwner } from '../../stores/places.ts';
import type { Handshake } from '../../wire/methods/initialize.ts';
import type { Served } from '../../wire/served.ts';
import { HTTP_DEFAULTS } from './http-options.ts';
import type { SessionOptions } from './http-options.ts';
import { HttpSession } from './http-session.ts';

/** The sessions of one endpoint. Those nobody has used for long go when somebody comes. */
export class SessionTable {
  readonly #served: Served;
  readonly #store: EventStore;
  readonly #idleMs: number;
  /** The one that was not used for longest is first. */
  readonly #sessions = new Map<string, HttpSession>();
  readonly #places: Places;
  /** Before that no session has been idle for too long: who was seen last can only have been seen again. */
  #nextExpiry = 0;

  constructor(served: Served, options: SessionOptions) {
    const { maxSessions, maxSessionsPerCaller, idleMs } = { ...HTTP_DEFAULTS, ...options };
    this.#served = served;
    this.#store = options.eventStore ?? new MemoryEventStore();
    this.#idleMs = idleMs;
    this.#places = new Places(maxSessions, maxSessionsPerCaller);
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** A new session; undefined when there are too many. */
  open(handshake: Handshake, place: PlaceOwner): HttpSession | undefined {
    this.#expire(this.#served.clock.now());
    const release = this.#places.take(place);
    if (release === undefined) return undefined;
    const { owner } = place;
    const session = new HttpSession(this.#served, { handshake, owner, store: this.#store, release });
    this.#sessions.set(session.id, session);
    return session;
  }

  /** The session of this id, if it is the caller's. A stranger's does not exist. */
  find(id: string, owner: string): HttpSession | undefined {
    const now = this.#served.clock.now();
    if (now >= this.#nextExpiry) this.#expire(now);
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== owner) return undefined;
    this.#touch(session, now);
    return session;
  }

  /** Ends a session. */
  remove(session: HttpSession, reason: string): void {
    if (!this.#sessions.delete(session.id)) return;
    session.close(reason);
  }

  /** Lets every client that listens go. */
  release(): void {
    for (const session of this.#sessions.values()) session.release();
  }

  close(): void {
    for (const session of Array.from(this.#sessions.values())) this.remove(session, 'The server closes.');
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
      // Goes to the end, where it is found again.
      if (session.isBusy) this.#touch(session, now);
      else this.remove(session, 'The session was not used for long.');
    }
  }
}
