const HOUR = 3_600_000;

/** Counts the requests of each user in the last hour. */
export class RateLimit {
  readonly #limit: number;
  readonly #requests = new Map<string, number[]>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a request at a moment and returns whether it is within the limit, and the value of the header `X-Rate-Limit`. Rejected requests do not count. */
  take(user: string, now: number): { readonly allowed: boolean; readonly header: string } {
    const recent = (this.#requests.get(user) ?? []).filter((moment) => moment > now - HOUR);
    const allowed = recent.length < this.#limit;
    if (allowed) recent.push(now);
    this.#requests.set(user, recent);
    return { allowed, header: `${recent.length}/${this.#limit}` };
  }
}
