import type { Caller } from '../pipeline/tool/policy.ts';
import type { ToolwrightServer } from '../server/create-server.ts';
import { connectInMemory } from '../transport/memory/connect-in-memory.ts';
import type { Link, RpcMessage } from './link.ts';

/** Creates a link to a server in this process, for a caller. */
export function linkInMemory(server: ToolwrightServer, caller: Caller = {}): Link {
  const transport = connectInMemory(server, caller);
  const link: Link = {
    send: (message) => transport.send({ jsonrpc: '2.0', ...message }),
    onMessage: () => {},
    onEnd: () => {},
    agree: () => {},
    close: () => transport.close(),
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport interface of the SDK has only this member
  transport.onmessage = (message) => link.onMessage(message as RpcMessage);
  return link;
}
