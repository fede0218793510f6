import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, defineTool } from '../../../src/index.ts';
import { toNodeHandler } from '../../../src/http.ts';
import { postModern } from '../../support/raw-http.ts';

test('a stream is ended after the stall limit, however little its client has not read', async () => {
  let socket: Socket | undefined;
  const tell = defineTool({
    name: 'tell',
    description: 'Tells a few bytes that are not sent.',
    inputSchema: z.object({}),
    handler: async ({ context }) => {
      await context.progress(1, 3);
      socket?.cork();
      await context.progress(2, 3);
      return new Promise<string>((resolve) => {
        context.signal.addEventListener('abort', () => resolve('ended'), { once: true });
      });
    },
  });
  const handle = toNodeHandler(createServer({ name: 'small', version: '1.0.0', tools: [tell] }), {
    stallMs: 50,
  });
  const http = createHttpServer((request, response) => {
    ({ socket } = request);
    handle(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const params = { name: 'tell', arguments: {}, _meta: { progressToken: 'token' } };
  const asked = postModern(`http://127.0.0.1:${port}/mcp`, { method: 'tools/call', params });
  await expect(asked).rejects.toThrow();
  http.close();
});
