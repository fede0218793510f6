import type { Caller } from '../pipeline/tool/policy.ts';
import type { ToolwrightServer } from '../server/create-server.ts';
import { connectInMemory } from '../transport/memory/connect-in-memory.ts';
import type { Link, RpcMessage } from './link.ts';

/** A server in this process, as this caller meets it. */
export function linkInMemory(server: ToolwrightServer, caller: Caller = {}): Link {
  const transport = connectInMemory(server, caller);
  const link: Link = {
    send: (message) => transport.send({ jsonrpc: '2.0', ...message }),
    onMessage: () => {},
    onEnd: () => {},
    agree: () => {},
    close: () => transport.close(),
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- transports of the SDK have no other way
  transport.onmessage = (message) => link.onMessage(message as RpcMessage);
  return link;
}
