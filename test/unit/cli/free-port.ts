import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A free port. */
export async function freePort(): Promise<string> {
  const net = createServer().listen(0, '127.0.0.1');
  await once(net, 'listening');
  const { port } = net.address() as AddressInfo;
  net.close();
  await once(net, 'close');
  return String(port);
}
