import type { MemoryAccount } from '../../base/memory/memory-budget.ts';
import { weighText } from '../../base/memory/weigh.ts';
import { toErrorAnswer } from '../messages/answer.ts';
import type { RequestId } from '../messages/json-rpc.ts';
import { NO_ROOM, NO_ROOM_FOR_RESULT } from '../messages/rpc-errors.ts';

/** Maximum number of concurrent requests of a batch: the results of all of them could exceed the memory. */
export const MAX_OF_BATCH = 8;

/** Maximum size of all responses of a batch: they are sent as one message, which is serialized twice. */
const MAX_BATCH_BYTES = 8_388_608;

/** Collects the responses of a batch. A response that exceeds the memory becomes an error. */
export class BatchAnswers {
  readonly #account: MemoryAccount;
  #bytes = 0;
  #isFull = false;

  constructor(account: MemoryAccount) {
    this.#account = account;
  }

  /** Whether the memory is used up: the remaining requests are then not run. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Error response to a request that is not run. */
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

  /** Releases the memory of the batch: the message to send counts from now on. */
  release(): void {
    this.#account.give(this.#bytes);
    this.#bytes = 0;
  }
}
