/** Serves documents over stdio: `node openapi-stdio.mjs <exposure> <file>…`. With several documents, each has a namespace. */
import { basename } from 'node:path';
import { OpenAPIServer } from 'toolwright/openapi';
import { serveStdio } from 'toolwright/stdio';

const [exposure, ...files] = process.argv.slice(2);
const namespaceOf = (file) =>
  basename(file)
    .replace(/\.\w+$/, '')
    .replaceAll(/\W+/g, '_');

const server = await OpenAPIServer.load({
  name: 'corpus',
  exposure,
  openapi: { baseUrl: 'https://api.example.com' },
  documents: files.map((document) => ({
    document,
    ...(files.length === 1 ? {} : { namespace: namespaceOf(document) }),
  })),
});
serveStdio(server);
