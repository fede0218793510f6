import type { MemoryAccount } from '../../base/memory/memory-budget.ts';
import { weighText } from '../../base/memory/weigh.ts';
import { toErrorAnswer } from '../messages/answer.ts';
import type { RequestId } from '../messages/json-rpc.ts';
import { NO_ROOM, NO_ROOM_FOR_RESULT } from '../messages/rpc-errors.ts';

/** So many requests of a batch are answered at a time: all of them at once could make more results than there is memory for. */
export const MAX_OF_BATCH = 8;

/** So much all answers of a batch may be together: they are sent as one message, which is written twice. */
const MAX_BATCH_BYTES = 8_388_608;

/** The answers of a batch, which wait for each other. One that there is no memory for becomes an error. */
export class BatchAnswers {
  readonly #account: MemoryAccount;
  #bytes = 0;
  #isFull = false;

  constructor(account: MemoryAccount) {
    this.#account = account;
  }

  /** Whether there was no memory for one of them: then the requests that are left are not run. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The answer to a request that is not run. */
  refuse(id: RequestId): string {
    return toErrorAnswer(id, NO_ROOM).text;
  }

  keep(id: RequestId | undefined, text: string): string {
    const bytes = weighText(text);
    if (this.#bytes + bytes > MAX_BATCH_BYTES || !this.#account.take(bytes)) {
      this.#isFull = true;
      return toErrorAnswer(id, NO_ROOM_FOR_RESULT).text;
    }
    this.#bytes += bytes;
    return text;
  }

  /** All of them are there; from now on they count as what is sent. */
  release(): void {
    this.#account.give(this.#bytes);
    this.#bytes = 0;
  }
}
