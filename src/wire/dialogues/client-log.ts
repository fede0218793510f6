import { serialize } from '../../format/serialize.ts';
import type { McpLogLevel } from '../../middleware/dialogue.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Exchange } from '../served/exchange.ts';
import { isWanted } from '../messages/log-levels.ts';

/** One log message for the client. */
export interface LogMessage {
  readonly level: McpLogLevel;
  readonly data: unknown;
  readonly logger: string | undefined;
}

/** Maximum size of queued messages of a slow reader; further ones are dropped and counted. */
// defence: bound-of-a-log
const MAX_WAITING = 1_048_576;

/** Sends log messages of a call to its client, from the level that the client requested. */
export class ClientLog {
  readonly #exchange: Exchange;
  #waiting = 0;
  #lost = 0;
  /** Settles when the reader has read the queued messages. */
  #sending: PromiseLike<void> | undefined;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Sends a message; waits while the reader is slow. Data that cannot be serialized is replaced by a message that says so. */
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
    // Only the length: keeping the message would be a second copy.
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
    const text = `${this.#lost} messages were not sent: the client reads too slowly.`;
    this.#lost = 0;
    void this.#write('warning', JSON.stringify(text), 'toolwright');
  }
}
