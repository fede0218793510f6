import type { RunRecord } from './run-record.ts';

export interface RunStoreLimits {
  /** Runs that are kept for one caller. */
  readonly runsPerOwner: number;
  /** Time for which an ended run is kept, in milliseconds. */
  readonly ttlMs: number;
  /** JSON of all runs of one caller. */
  readonly bytesPerOwner: number;
  /** JSON of all runs. */
  readonly bytes: number;
}

export const RUN_STORE_LIMITS: RunStoreLimits = {
  runsPerOwner: 100,
  ttlMs: 3_600_000,
  bytesPerOwner: 32_000_000,
  bytes: 128_000_000,
};

interface Entry {
  record: RunRecord;
  bytes: number;
}

/** The runs of all callers. A caller finds only its own. Running runs are never dropped. */
export class RunStore {
  readonly #now: () => number;
  readonly #limits: RunStoreLimits;
  /** In the order of their start. */
  readonly #entries = new Map<string, Entry>();

  constructor(now: () => number, limits: Partial<RunStoreLimits> = {}) {
    this.#now = now;
    this.#limits = { ...RUN_STORE_LIMITS, ...limits };
  }

  /** Adds a run, or replaces it. */
  put(record: RunRecord): void {
    const bytes = record.outcome === undefined ? 0 : Buffer.byteLength(JSON.stringify(record));
    const entry = this.#entries.get(record.id);
    if (entry === undefined) this.#entries.set(record.id, { record, bytes });
    else Object.assign(entry, { record, bytes });
    if (entry === undefined || bytes > 0) this.#dropOld(record.owner);
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }

  find(owner: string, id: string): RunRecord | undefined {
    const entry = this.#entries.get(id);
    return entry?.record.owner === owner && !this.#isExpired(entry) ? entry.record : undefined;
  }

  /** The latest first. */
  list(owner: string): readonly RunRecord[] {
    return this.#list(owner)
      .filter((entry) => !this.#isExpired(entry))
      .map(({ record }) => record)
      .toReversed();
  }

  /** The latest run of each caller. */
  listLast(): readonly RunRecord[] {
    const last = new Map([...this.#entries.values()].map(({ record }) => [record.owner, record]));
    return [...last.values()];
  }

  /** Changes all runs. */
  update(change: (record: RunRecord) => RunRecord): void {
    for (const entry of this.#entries.values()) entry.record = change(entry.record);
  }

  #dropOld(owner: string): void {
    const { runsPerOwner, bytesPerOwner, bytes } = this.#limits;
    this.#drop([...this.#entries.values()].filter((entry) => this.#isExpired(entry)));
    const own = this.#list(owner);
    this.#drop(listExcess(own, (_, count) => count > runsPerOwner));
    this.#drop(listExcess(this.#list(owner), (sum) => sum > bytesPerOwner));
    this.#drop(listExcess([...this.#entries.values()], (sum) => sum > bytes));
  }

  #list(owner: string): readonly Entry[] {
    return [...this.#entries.values()].filter(({ record }) => record.owner === owner);
  }

  #isExpired({ record }: Entry): boolean {
    return record.endedAt !== undefined && this.#now() - record.endedAt >= this.#limits.ttlMs;
  }

  #drop(entries: readonly Entry[]): void {
    for (const { record } of entries) this.#entries.delete(record.id);
  }
}

/** The oldest ended runs, without which the rest is not too much. The latest run stays. */
function listExcess(
  entries: readonly Entry[],
  isTooMuch: (bytes: number, count: number) => boolean,
): readonly Entry[] {
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  let count = entries.length;
  return entries.slice(0, -1).filter((entry) => {
    if (entry.record.status === 'running' || !isTooMuch(bytes, count)) return false;
    bytes -= entry.bytes;
    count -= 1;
    return true;
  });
}
