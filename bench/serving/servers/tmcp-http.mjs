/** tmcp on `node:http`, the first setup in its documentation. */
import { createServer } from 'node:http';
import { createRequestListener } from '@remix-run/node-fetch-server';
import { HttpTransport } from '@tmcp/transport-http';
import { listen } from './bare-http.mjs';
import { server } from './tmcp.mjs';

const transport = new HttpTransport(server, { path: '/mcp' });
const respond = async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 });
listen(createServer(createRequestListener(respond)));
