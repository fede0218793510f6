/** The clients of the soak. Each performs random actions one after the other until it is stopped. */
import { setTimeout as wait } from 'node:timers/promises';
import { LegacyClient } from './legacy-client.mjs';
import { ModernClient } from './modern-client.mjs';
import { OfficialClient } from './official-client.mjs';
import { createRandom } from './tally.mjs';

/** Number of clients by kind. */
export const CLIENTS = [
  [15, 'raw, 2026-07-28', (parts) => new ModernClient(parts)],
  [15, 'raw, 2025-11-25', (parts) => new LegacyClient(parts)],
  [10, 'official, 2026-07-28', (parts) => new OfficialClient({ ...parts, mode: 'auto' })],
  [10, 'official, 2025-11-25', (parts) => new OfficialClient({ ...parts, mode: 'legacy' })],
];

/** Maximum pause of a client between two actions, after the warm-up. */
const PAUSE_MS = 60;

export class Crowd {
  #tally;
  #members;
  /** Removes the pauses, to warm the server up faster. */
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

  /** Waits until all clients are idle, and keeps them idle while `look` runs. */
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

  /** Closes all clients. */
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
    // `fetch` shares its connections between clients, so they are closed after all clients.
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
