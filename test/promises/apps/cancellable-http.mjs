/** Calls that can be cancelled, over HTTP. */
import { createServer } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import { tools } from './cancellable.mjs';

const server = createServer({ name: 'cancellable', version: '1.0.0', tools, rateLimit: false });
const { port } = await serveHttp(server, { port: 0 });
process.send({ port });
