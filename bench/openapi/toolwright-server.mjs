/** A server for one document: `node toolwright-server.mjs <document> <base URL>`. */
import { addressOf } from '../library.mjs';

const { OpenAPIServer } = await import(addressOf('openapi.ts'));
const { serveStdio } = await import(addressOf('stdio.ts'));

const [document = '', baseUrl = ''] = process.argv.slice(2);
const server = await OpenAPIServer.load({
  document,
  openapi: { baseUrl, outbound: { allowPrivate: ['127.0.0.1'] } },
});
await serveStdio(server).closed;
