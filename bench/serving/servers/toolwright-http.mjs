import { addressOf } from '../../library.mjs';
import { ready } from './control.mjs';
import { server } from './toolwright.mjs';

const { serveHttp } = await import(addressOf('http.ts'));
const { port } = await serveHttp(server, { port: 0 });
ready({ port });
