import type { Clock } from '../../../base/time/clock.ts';
import type { MemoryAccount, MemoryBudget } from '../../../base/memory/memory-budget.ts';
import { OpenItem, OpenList } from '../../../base/open-list.ts';

/** So long a client is given to read. Without it, whoever asks next would take the place of an answer that was written just now. */
const GRACE_MS = 1000;

/** The bytes of one response that its client has not read yet. */
export class UnreadResponse extends OpenItem {
  readonly #list: OpenList<UnreadResponse>;
  readonly #account: MemoryAccount;
  readonly #cut: () => void;
  readonly #now: () => number;
  /** Since when something is unread. */
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

  /** So much is unread now; false if there is no room for it. */
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

  /** Frees all of it by ending the connection. It counts until the connection has ended: so long the memory is in use. */
  shed(): void {
    // It cannot make room for itself.
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

/** The responses that wait for their clients. When memory is needed elsewhere, the oldest of them are cut. */
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
