/** A server over HTTP from a configuration whose tools call an upstream server, at `UPSTREAM`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from 'toolwright/config';
import { serveHttp } from 'toolwright/http';

const folder = mkdtempSync(join(tmpdir(), 'asking-'));
const file = join(folder, 'toolwright.config.yaml');
writeFileSync(
  file,
  `name: asking
rateLimit: { limit: 1000000, perMs: 1000 }
outbound: { allowPrivate: ['127.0.0.1'], timeoutMs: 2000 }
tools:
  - name: get
    description: Asks for the notes of a user
    arguments: { id: {}, q: { in: query }, h: { in: header, as: x-h } }
    http: { url: '\${env:UPSTREAM}/api/users/{id}/notes' }
  - name: ask
    description: Asks for anything
    arguments: { what: {} }
    http: { url: '\${env:UPSTREAM}/{what}' }
  - name: ask_other
    description: Asks for one thing
    http: { url: '\${env:UPSTREAM}/well' }
`,
);
const { server } = await loadConfig(file);
rmSync(folder, { recursive: true });
const { port } = await serveHttp(server, { port: 0 });
process.send({ port });
