import { serialize } from '../../format/serialize.ts';
import type { McpLogLevel } from '../../middleware/dialogue.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Exchange } from '../served/exchange.ts';
import { isWanted } from '../messages/log-levels.ts';

/** One message for the client's log. */
export interface LogMessage {
  readonly level: McpLogLevel;
  readonly data: unknown;
  readonly logger: string | undefined;
}

/** So much waits for a reader that is behind; what comes after that is lost, and the reader is told how much. */
// defence: bound-of-a-log
const MAX_WAITING = 1_048_576;

/** What a call writes to the log of its client, as far as the client wants it. */
export class ClientLog {
  readonly #exchange: Exchange;
  #waiting = 0;
  #lost = 0;
  /** Settles when the reader has taken what waits. */
  #sending: PromiseLike<void> | undefined;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Sends a message; waits while the reader is behind. What cannot be written as JSON says so instead. */
  send({ level, data, logger }: LogMessage): MaybePromise<void> {
    const { session, logLevel } = this.#exchange;
    if (!isWanted(level, session?.logLevel ?? logLevel)) return undefined;
    if (this.#waiting > MAX_WAITING) {
      this.#lost += 1;
      return this.#sending;
    }
    const serialized = serialize(data, { maxBytes: MAX_WAITING });
    const text = serialized.ok ? serialized.json : JSON.stringify(`(not sent: ${serialized.reason})`);
    return this.#write(level, text, logger);
  }

  #write(level: McpLogLevel, text: string, logger: string | undefined): MaybePromise<void> {
    const name = logger === undefined ? '' : `"logger":${JSON.stringify(logger)},`;
    const message = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"${level}",${name}"data":${text}}}`;
    const sent = this.#exchange.send(message);
    if (!isPromiseLike(sent)) return undefined;
    // Only its length: to hold the message as well would be a second copy of what waits.
    const { length } = message;
    this.#waiting += length;
    const goOn = (): void => this.#taken(length);
    this.#sending = sent.then(goOn, goOn);
    return this.#sending;
  }

  #taken(length: number): void {
    this.#waiting -= length;
    if (this.#waiting > 0) return;
    this.#sending = undefined;
    if (this.#lost === 0) return;
    const text = `${this.#lost} messages were not sent: the reader was behind.`;
    this.#lost = 0;
    void this.#write('warning', JSON.stringify(text), 'toolwright');
  }
}
