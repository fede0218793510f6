import { hash } from '../../../base/hash.ts';
import { withinTime } from '../../../base/time/within-time.ts';
import { toLoggedError } from '../../../errors/log-thrown.ts';
import type { StateStore } from '../../../stores/state/state-store.ts';
import type { Served } from '../../../wire/served/served.ts';

/** The catalog of this node, compared with that of the nodes with the same store. `unknown`: the store has not replied yet. */
export type CatalogMatch = 'same' | 'different' | 'unknown';

/** A result is used for this time. */
const CHECK_MS = 5000;

/** The hash in the store expires if no node with this catalog has been checked for this time. */
const EXPIRY_MS = 60_000;

/** Timeout of the store: orchestrators wait one second for the response to a readiness check. */
const STORE_MS = 500;

const KEY = 'catalog';

const DIFFERENT = 'the catalog of this node differs from that of other nodes with the same store';
const SAME_AGAIN = 'the catalog of this node is the same as that of the other nodes again';
const FAILED = 'the catalogs of the nodes cannot be compared';

/**
 * Compares the catalogs of the nodes with one store. The store has one hash: that of the first node, which all nodes with this catalog
 * renew. If the catalog of such a node changes while it runs, the node replaces the hash.
 */
export class SameCatalog {
  readonly #served: Served;
  readonly #store: StateStore;
  readonly #owner: Promise<string>;
  /** The hash that this node has found or put in the store last. */
  #shared: string | undefined;
  #last: { readonly hash: string; readonly match: CatalogMatch; readonly at: number } | undefined;
  #running: Promise<CatalogMatch> | undefined;
  /** The state that was logged last. */
  #isDifferent = false;
  #isFailed = false;
  #differences = 0;

  constructor(served: Served, store: StateStore) {
    this.#served = served;
    this.#store = store;
    this.#owner = hash(JSON.stringify([KEY, served.introduction.info.name]));
  }

  /** Number of comparisons that found another catalog. It only grows: a metric of monitoring. */
  get differences(): number {
    return this.#differences;
  }

  /** Compares the hash of this node with that of the others. Never rejects. */
  check(own: string): Promise<CatalogMatch> {
    const now = this.#served.clock.now();
    if (this.#last?.hash === own && now - this.#last.at < CHECK_MS) return Promise.resolve(this.#last.match);
    // One at a time: an older hash must not be written after a newer one.
    this.#running ??= this.#check(own, now).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #check(own: string, at: number): Promise<CatalogMatch> {
    const match = await this.#compare(own);
    this.#last = { hash: own, match, at };
    return match;
  }

  async #compare(own: string): Promise<CatalogMatch> {
    const { clock, logger } = this.#served;
    try {
      const others = await withinTime(this.#exchange(own), { clock, ms: STORE_MS });
      this.#isFailed = false;
      const match = others === own ? 'same' : 'different';
      if (match === 'different' && !this.#isDifferent) logger.warning(DIFFERENT, { catalog: own, others });
      if (match === 'same' && this.#isDifferent) logger.info(SAME_AGAIN);
      this.#isDifferent = match === 'different';
      if (this.#isDifferent) this.#differences += 1;
      return match;
    } catch (error) {
      if (!this.#isFailed) logger.warning(FAILED, { error: toLoggedError(error) });
      this.#isFailed = true;
      // The last result is still that of this hash, not of an earlier one.
      return this.#last?.hash === own ? this.#last.match : 'unknown';
    }
  }

  /** The hash of the other nodes; the own one if it has been put in the store. */
  async #exchange(own: string): Promise<string> {
    const found = (await this.#get()) ?? ((await this.#set(own, true)) ? own : await this.#get());
    if (found !== undefined && found !== own && found !== this.#shared) return found;
    await this.#set(own, false);
    this.#shared = own;
    return own;
  }

  async #get(): Promise<string | undefined> {
    return this.#store.get(await this.#owner, KEY);
  }

  async #set(own: string, ifAbsent: boolean): Promise<boolean> {
    return this.#store.set(await this.#owner, KEY, own, { ttlMs: EXPIRY_MS, ifAbsent });
  }
}
