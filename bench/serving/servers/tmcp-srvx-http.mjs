/** tmcp on `node:http` with srvx, the second and cheaper setup in its documentation. */
import { HttpTransport } from '@tmcp/transport-http';
import { serve } from 'srvx';
import { ready } from './control.mjs';
import { server } from './tmcp.mjs';

const transport = new HttpTransport(server, { path: '/mcp' });
const running = serve({
  port: 0,
  hostname: '127.0.0.1',
  silent: true,
  gracefulShutdown: false,
  fetch: async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
});
await running.ready();
ready({ port: Number(new URL(running.url).port) });
