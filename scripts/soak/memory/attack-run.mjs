/** A running attack: its rate limit, its target and its observations. */
import { setTimeout as wait } from 'node:timers/promises';
import { Connection, initialize, initialized, sessionOf } from './wire.mjs';

/** Maximum time that an attacker holds a connection. */
const HOLD_MS = 25_000;

export class AttackRun {
  #targets;
  #signal;
  #bytesPerMs;
  #freeAt = 0;
  #turn = 0;
  #open = new Set();
  #sent = 0;
  #received = 0;
  #replies = {};

  constructor({ targets, signal, bytesPerSecond }) {
    this.#targets = targets;
    this.#signal = signal;
    this.#bytesPerMs = bytesPerSecond / 1000;
    signal.addEventListener('abort', () => {
      for (const connection of this.#open) connection.hangUp();
    });
  }

  /** Alternates between the anonymous and the authenticated endpoint. */
  nextTarget() {
    this.#turn += 1;
    return this.#targets[this.#turn % this.#targets.length];
  }

  /** Waits until the rate limit allows this cost: bytes that the server has to read or generate. */
  async pace(bytes) {
    const now = performance.now();
    const startAt = Math.max(now, this.#freeAt);
    this.#freeAt = startAt + bytes / this.#bytesPerMs;
    await wait(startAt - now, undefined, { signal: this.#signal });
  }

  connect(target, options) {
    const connection = new Connection(target.port, options);
    this.#open.add(connection);
    void connection.closed.then(() => {
      this.#open.delete(connection);
      this.#sent += connection.sent;
      this.#received += connection.received;
      this.#replies[connection.outcome] = (this.#replies[connection.outcome] ?? 0) + 1;
    });
    if (this.#signal.aborted) connection.hangUp();
    return connection;
  }

  /** Sends a request and waits for its response, or for the maximum time. Returns the head of the response. */
  async ask(target, parts, { isRead, holdMs = HOLD_MS, until } = {}) {
    const connection = this.connect(target, { isRead });
    connection.send(parts);
    if (until !== undefined) {
      await connection.heard(until);
      connection.hangUp();
    }
    await this.hold(connection, holdMs);
    return connection.head;
  }

  /** Opens and initializes a session of an earlier revision; undefined if the server rejects it. */
  async openSession(target, said = {}) {
    const session = sessionOf(await this.ask(target, initialize(target, said)));
    if (session !== undefined)
      await this.ask(target, initialized(target, { session, version: said.version }));
    return session;
  }

  /** Waits until the server closes a connection, with a timeout. */
  async hold(connection, holdMs = HOLD_MS) {
    const timer = setTimeout(() => connection.hangUp(), holdMs);
    await connection.closed;
    clearTimeout(timer);
  }

  /** Runs a number of attackers, each in a loop until the attack ends. */
  async repeat(attackers, once) {
    const attack = async (_, index) => {
      for (let turn = 0; !this.#signal.aborted; turn += 1) {
        try {
          await once(index, turn);
        } catch (error) {
          if (error.name !== 'AbortError') throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: attackers }, attack));
  }

  report() {
    const open = [...this.#open];
    const sent = open.reduce((sum, connection) => sum + connection.sent, this.#sent);
    const received = open.reduce((sum, connection) => sum + connection.received, this.#received);
    const replies = { ...this.#replies };
    if (open.length > 0) replies.open = open.length;
    return { sent, received, replies };
  }
}
