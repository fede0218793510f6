/** The clients of the soak: each does one thing after the other, by chance and until it is told to stop. */
import { setTimeout as wait } from 'node:timers/promises';
import { LegacyClient } from './legacy-client.mjs';
import { ModernClient } from './modern-client.mjs';
import { OfficialClient } from './official-client.mjs';
import { createRandom } from './tally.mjs';

/** How many of which. */
export const CLIENTS = [
  [15, 'raw, 2026-07-28', (parts) => new ModernClient(parts)],
  [15, 'raw, 2025-11-25', (parts) => new LegacyClient(parts)],
  [10, 'official, 2026-07-28', (parts) => new OfficialClient({ ...parts, mode: 'auto' })],
  [10, 'official, 2025-11-25', (parts) => new OfficialClient({ ...parts, mode: 'legacy' })],
];

/** The longest pause of a client between two things, once the server has warmed up. */
const PAUSE_MS = 60;

export class Crowd {
  #tally;
  #members;
  /** Nobody pauses: what a server learns in its first minutes, it learns sooner. */
  isHurried = true;
  #isOver = false;
  #resume = undefined;
  #resumed = Promise.resolve();
  #resting = 0;
  #onRest = () => {};
  #done;

  constructor(url, tally) {
    this.#tally = tally;
    const makers = CLIENTS.flatMap(([count, , make]) => Array.from({ length: count }, () => make));
    this.#members = makers.map((make, index) => {
      const random = createRandom(index + 1);
      return { client: make({ url, tally, name: `client-${index}`, random }), random };
    });
  }

  get size() {
    return this.#members.length;
  }

  async start() {
    await Promise.all(this.#members.map(({ client }) => client.open()));
    this.#done = Promise.all(this.#members.map((member) => this.#live(member)));
  }

  /** Waits until everybody has done what it was at, and keeps it there while `look` looks. */
  async rest(look) {
    this.#resumed = new Promise((resolve) => {
      this.#resume = resolve;
    });
    const isQuiet = new Promise((resolve) => {
      this.#onRest = () => this.#resting === this.#members.length && resolve();
    });
    this.#onRest();
    await isQuiet;
    const seen = await look();
    this.#resume();
    return seen;
  }

  /** Everybody leaves. */
  async stop() {
    this.#isOver = true;
    await this.#done;
    for (const { client } of this.#members) {
      try {
        await client.close();
      } catch (error) {
        this.#tally.fail('leave', error);
      }
    }
    // `fetch` keeps its connections for all clients together; with the clients they have to go.
    await globalThis[Symbol.for('undici.globalDispatcher.1')]?.close();
  }

  async #live({ client, random }) {
    const wheel = Object.entries(client.actions).flatMap(([name, [weight]]) => Array(weight).fill(name));
    while (!this.#isOver) {
      this.#resting += 1;
      this.#onRest();
      await this.#resumed;
      this.#resting -= 1;
      await this.#act(client, wheel[random(wheel.length)]);
      await wait(this.isHurried ? 0 : random(PAUSE_MS));
    }
  }

  async #act(client, name) {
    const [, act] = client.actions[name];
    this.#tally.count(name);
    try {
      await act();
    } catch (error) {
      this.#tally.fail(name, error);
    }
  }
}
