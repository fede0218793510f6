/** One connection to Redis, or to the nodes of a cluster. A driver adapts the client of one package. */
export interface RedisDriver {
  /** Whether commands can be sent. */
  isReady(): boolean;
  /** Connects, and connects again when the connection is lost. Rejects if the client gives up. */
  connect(): Promise<unknown>;
  /** Calls back when the connection is established, also after a reconnect. */
  onReady(callback: () => void): void;
  /** Sends a command. `key` decides about the node of a cluster. */
  send(key: string, command: readonly string[]): Promise<unknown>;
  /** Closes immediately; commands without a reply fail. */
  close(): void;
}

/** Longest wait between two attempts to connect. */
const MAX_RETRY_MS = 500;

/** Time to wait before an attempt to connect. With jitter, so that the nodes do not connect to a restarted Redis at the same moment. */
export function retryDelayMs(attempt: number): number {
  return Math.min(MAX_RETRY_MS, 50 * 2 ** Math.min(attempt, 6)) * (0.5 + Math.random() / 2);
}

/** Timeout of an attempt to connect. */
export const CONNECT_MS = 2000;
