import { HttpTransport } from '@tmcp/transport-http';
import { measureFetch } from './fetch-batch.mjs';
import { server } from './tmcp.mjs';

const transport = new HttpTransport(server, { path: '/mcp' });
measureFetch('tmcp', (request) => transport.respond(request));
