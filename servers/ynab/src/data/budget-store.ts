import { CallRefusedError } from 'toolwright';
import type { CacheHelpers } from 'toolwright';
import type { Clock } from 'toolwright/collaborators';
import { MemoryCacheStore } from 'toolwright/stores';
import type { BudgetApi } from '../api/budget-api.ts';
import { mergeDelta } from '../delta/merge-delta.ts';
import type { Deletable, Snapshot } from '../delta/merge-delta.ts';
import type { Caller } from './caller.ts';
import type { Collection } from './collections.ts';
import { toDate, wallTimeOf } from './dates.ts';

/** Loaded entities, and whether they came from the cache. */
export interface Loaded<TItem> {
  readonly items: readonly TItem[];
  readonly isCached: boolean;
}

/** Options of {@link BudgetStore}. */
export interface BudgetStoreOptions {
  readonly api: BudgetApi;
  readonly cache: CacheHelpers;
  /** Whether only changes are requested once a collection is known. */
  readonly isDeltaEnabled: boolean;
  /** Time for which an expired value is served while it is refreshed. */
  readonly cacheStaleMs: number;
  /** Lifetime of all values. Default: the lifetime of each kind. */
  readonly cacheTtlMs?: number | undefined;
  readonly cacheMaxEntries: number;
  readonly clock: Clock;
}

/** Selects a collection of a caller's budget. */
export interface Selection {
  readonly caller: Caller;
  readonly budgetId: string;
  /** Transactions only: the first date. */
  readonly since?: string;
}

/** Snapshots are only a starting point for deltas, so they may be old. */
const SNAPSHOT_TTL_MS = 24 * 3_600_000;

/** Earlier than every transaction: a delta must contain a transaction even if its date left the requested range. */
const FIRST_DATE = '1900-01-01';

/** The data of the API behind a cache. Every key begins with the key of the caller, so callers share nothing. */
export class BudgetStore {
  readonly #options: BudgetStoreOptions;
  readonly #snapshots: MemoryCacheStore;
  readonly #loads = { full: 0, delta: 0, reloaded: 0 };

  constructor(options: BudgetStoreOptions) {
    this.#options = options;
    this.#snapshots = new MemoryCacheStore({ maxEntries: options.cacheMaxEntries, clock: options.clock });
  }

  /** The entities of a collection, without deleted ones. */
  async list<TItem extends Deletable, TChild extends Deletable>(
    collection: Collection<TItem, TChild>,
    selection: Selection,
  ): Promise<Loaded<TItem>> {
    let isCached = true;
    const { entities } = await this.#options.cache.wrap(
      keyOf(collection, selection),
      () => {
        isCached = false;
        return this.#load(collection, selection);
      },
      this.#times(collection.ttlMs),
    );
    return { items: entities, isCached };
  }

  /** The same, loaded whole from the API. */
  async listWhole<TItem extends Deletable, TChild extends Deletable>(
    collection: Collection<TItem, TChild>,
    selection: Selection,
  ): Promise<readonly TItem[]> {
    const key = keyOf(collection, selection);
    // Also a load that is under way: it may be a delta.
    await this.#options.cache.delete(key);
    const load = async (): Promise<Snapshot<TItem>> =>
      this.#keep(await this.#loadWhole(collection, selection), key);
    return (await this.#options.cache.wrap(key, load, this.#times(collection.ttlMs))).entities;
  }

  /** The ids of the entities that the last load found; none before the first one. */
  knownIds<TItem extends Deletable, TChild extends Deletable>(
    collection: Collection<TItem, TChild>,
    selection: Selection,
  ): readonly string[] {
    const known = this.#snapshots.get(this.#snapshotKey(keyOf(collection, selection)));
    return ((known as Snapshot<TItem> | undefined)?.entities ?? []).map(collection.shape.id);
  }

  /** Any other data, under a name of its own. */
  value<TValue>(
    name: string,
    { caller, ttlMs }: { readonly caller: Caller; readonly ttlMs: number },
    load: () => Promise<TValue>,
  ): Promise<TValue> {
    return this.#options.cache.wrap(`${caller.key}/${name}`, load, this.#times(ttlMs));
  }

  /** Replaces {@link BudgetStore.value} of a name. */
  remember(
    name: string,
    { caller, ttlMs }: { readonly caller: Caller; readonly ttlMs: number },
    value: unknown,
  ): Promise<void> {
    return this.#options.cache.set(`${caller.key}/${name}`, value, this.#times(ttlMs));
  }

  /** Drops cached collections after a write. Snapshots stay: the next load requests only the changes. */
  async forget(caller: Caller, budgetId: string, names: readonly string[]): Promise<void> {
    const { cache } = this.#options;
    await Promise.all(names.map((name) => cache.deleteByPrefix(`${caller.key}/${budgetId}/${name}/`)));
  }

  /** Drops everything of a caller. */
  async forgetAll(caller: Caller): Promise<void> {
    await this.#options.cache.deleteByPrefix(`${caller.key}/`);
    this.#snapshots.deleteByPrefix(`${caller.key}/`);
  }

  async stats(): Promise<{ readonly cache: object; readonly delta: object }> {
    const { cache, isDeltaEnabled } = this.#options;
    return { cache: await cache.stats(), delta: { enabled: isDeltaEnabled, ...this.#loads } };
  }

  #times(ttlMs: number): { readonly ttlMs: number; readonly staleMs: number } {
    return { ttlMs: this.#options.cacheTtlMs ?? ttlMs, staleMs: this.#options.cacheStaleMs };
  }

  async #load<TItem extends Deletable, TChild extends Deletable>(
    collection: Collection<TItem, TChild>,
    selection: Selection,
  ): Promise<Snapshot<TItem>> {
    const key = keyOf(collection, selection);
    const known = (this.#options.isDeltaEnabled ? this.#snapshots.get(this.#snapshotKey(key)) : undefined) as
      | Snapshot<TItem>
      | undefined;
    const merged = known === undefined ? 'reload' : await this.#loadDelta(collection, selection, known);
    return this.#keep(merged === 'reload' ? await this.#loadWhole(collection, selection) : merged, key);
  }

  #keep<TItem>(snapshot: Snapshot<TItem>, key: string): Snapshot<TItem> {
    this.#snapshots.set(this.#snapshotKey(key), snapshot, SNAPSHOT_TTL_MS);
    return snapshot;
  }

  /** The amounts of categories are those of the current month in UTC: a new month changes them without a change of knowledge. */
  #snapshotKey(key: string): string {
    return `${key}@${toDate(wallTimeOf(this.#options.clock)).slice(0, 7)}`;
  }

  async #loadWhole<TItem extends Deletable, TChild extends Deletable>(
    collection: Collection<TItem, TChild>,
    selection: Selection,
  ): Promise<Snapshot<TItem>> {
    this.#loads.full += 1;
    const { since } = selection;
    const whole = await this.#request(
      collection,
      selection,
      since === undefined ? {} : { since_date: since },
    );
    return { ...whole, entities: whole.entities.filter(({ deleted }) => !deleted) };
  }

  /** The known entities with the changes since then applied; `'reload'` if that is not possible, as after a restored backup. */
  async #loadDelta<TItem extends Deletable, TChild extends Deletable>(
    collection: Collection<TItem, TChild>,
    selection: Selection,
    known: Snapshot<TItem>,
  ): Promise<Snapshot<TItem> | 'reload'> {
    const { since } = selection;
    const delta = await this.#request(collection, selection, {
      last_knowledge_of_server: known.server_knowledge,
      ...(since === undefined ? {} : { since_date: FIRST_DATE }),
    });
    const merged = mergeDelta(known, delta, collection.shape);
    this.#loads[merged === 'reload' ? 'reloaded' : 'delta'] += 1;
    if (merged === 'reload' || since === undefined) return merged;
    return { ...merged, entities: merged.entities.filter((entity) => dateOf(entity) >= since) };
  }

  async #request<TItem extends Deletable, TChild extends Deletable>(
    { operation, member }: Collection<TItem, TChild>,
    { caller, budgetId }: Selection,
    args: Readonly<Record<string, unknown>>,
  ): Promise<Snapshot<TItem>> {
    const data = await this.#options.api.call<Readonly<Record<string, unknown>>>(
      operation,
      { plan_id: budgetId, ...args },
      { caller },
    );
    const { [member]: entities, server_knowledge: knowledge } = data;
    if (!Array.isArray(entities) || typeof knowledge !== 'number') {
      const message = `The response of the budget API to ${operation} has no ${member} or no server_knowledge.`;
      throw new CallRefusedError('UPSTREAM_FAILED', message);
    }
    return { entities: entities as readonly TItem[], server_knowledge: knowledge };
  }
}

function dateOf(entity: object): string {
  return (entity as { readonly date: string }).date;
}

function keyOf({ name }: { readonly name: string }, { caller, budgetId, since = '' }: Selection): string {
  return `${caller.key}/${budgetId}/${name}/${since}`;
}
