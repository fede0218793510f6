import type { Clock } from '../../../base/time/clock.ts';
import type { MemoryAccount, MemoryBudget } from '../../../base/memory/memory-budget.ts';
import { OpenItem, OpenList } from '../../../base/open-list.ts';

/** Time that a client has to read. Without it, the next request would displace a response that was just written. */
const GRACE_MS = 1000;

/** The bytes of one response that its client has not read yet. */
export class UnreadResponse extends OpenItem {
  readonly #list: OpenList<UnreadResponse>;
  readonly #account: MemoryAccount;
  readonly #cut: () => void;
  readonly #now: () => number;
  /** Time since which bytes are unread. */
  since = 0;
  #bytes = 0;
  #isTaking = false;
  #leaving = 0;

  constructor(
    list: OpenList<UnreadResponse>,
    account: MemoryAccount,
    { cut, now }: { readonly cut: () => void; readonly now: () => number },
  ) {
    super();
    this.#list = list;
    this.#account = account;
    this.#cut = cut;
    this.#now = now;
  }

  /** Sets the number of unread bytes; false if the memory budget is used up. */
  set(bytes: number): boolean {
    const more = bytes - this.#bytes;
    // defence: count-of-unread-responses
    if (more > 0 && !this.#take(more)) return false;
    if (more < 0) this.#account.give(-more);
    this.#bytes = bytes;
    if (bytes === 0) this.#forget();
    else if (this.previous === undefined && this.#leaving === 0) {
      this.since = this.#now();
      this.#list.add(this);
    }
    return true;
  }

  /** Frees the memory by ending the connection. It counts until the connection has ended, because it is in use until then. */
  shed(): void {
    // It cannot free memory for itself.
    if (this.#isTaking) return;
    this.#list.remove(this);
    this.#leaving = this.#bytes;
    this.#account.announceLeaving(this.#leaving);
    this.#cut();
  }

  #forget(): void {
    this.#list.remove(this);
    this.#account.announceLeaving(-this.#leaving);
    this.#leaving = 0;
  }

  #take(bytes: number): boolean {
    this.#isTaking = true;
    const isTaken = this.#account.take(bytes);
    this.#isTaking = false;
    return isTaken;
  }
}

/** Responses that clients have not read yet. When memory is needed, the oldest connections are closed. */
export class UnreadResponses {
  readonly #clock: Clock;
  readonly #open = new OpenList<UnreadResponse>();

  constructor(memory: MemoryBudget, clock: Clock) {
    this.#clock = clock;
    memory.onPressure('responses', (isEnough) => {
      const until = clock.now() - GRACE_MS;
      for (const response of this.#open.all()) {
        if (response.since > until || isEnough()) return;
        response.shed();
      }
    });
  }

  open(account: MemoryAccount, cut: () => void): UnreadResponse {
    return new UnreadResponse(this.#open, account, { cut, now: () => this.#clock.now() });
  }
}
