import type { Caller } from '../../pipeline/tool/policy.ts';
import { createId } from '../../base/random-id.ts';
import { toServed } from '../../server/to-served.ts';
import type { Servable } from '../../server/to-served.ts';
import { DuplexConnection } from '../../wire/sessions/duplex-connection.ts';

/** The client's end of an in-memory connection, a transport of the official SDK. */
export interface MemoryTransport {
  onmessage?: ((message: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects a client in the same process to a server. Returns a transport for the official clients, version 1 and 2.
 *
 * @example
 * await client.connect(connectInMemory(server));
 */
export function connectInMemory<TContext extends object>(
  server: Servable<TContext>,
  caller: Caller = {},
): MemoryTransport {
  const connection = new DuplexConnection(toServed(server), {
    caller: { ...caller, connection: createId() },
    send: (text) => {
      const message: unknown = JSON.parse(text);
      // Deferred: `send` must return before the response arrives, as with any other transport.
      queueMicrotask(() => transport.onmessage?.(message));
    },
  });
  let isClosed = false;
  const transport: MemoryTransport = {
    start: async () => {},
    send: async (message) => {
      // Serialized, so that client and server share no objects.
      connection.receive(JSON.stringify(message));
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      connection.close('The client closed the connection.');
      transport.onclose?.();
    },
  };
  return transport;
}
