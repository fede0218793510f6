import { serialize } from '../format/serialize.ts';
import type { McpLogLevel } from '../middleware/dialogue.ts';
import type { MaybePromise } from '../schema/validated.ts';
import type { Exchange } from './exchange.ts';
import { isWanted } from './log-levels.ts';

/** One message for the client's log. */
export interface LogMessage {
  readonly level: McpLogLevel;
  readonly data: unknown;
  readonly logger: string | undefined;
}

/** Sends a message to the client's log, if the client wants it. What cannot be written as JSON says so instead. */
export function sendLog(exchange: Exchange, { level, data, logger }: LogMessage): MaybePromise<void> {
  if (!isWanted(level, exchange.session?.logLevel ?? exchange.logLevel)) return undefined;
  const serialized = serialize(data);
  const text = serialized.ok ? serialized.json : JSON.stringify(`(not sent: ${serialized.reason})`);
  const name = logger === undefined ? '' : `"logger":${JSON.stringify(logger)},`;
  return exchange.send(
    `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"${level}",${name}"data":${text}}}`,
  );
}
