import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { petsDocument } from './openapi-support.ts';
import { call, useScratch } from './support.ts';

const { folder, write, load, complaints } = useScratch();

/** Created for each run, with the openssl of the machine: no key is in the repository. */
const keys = mkdtempSync(join(tmpdir(), 'toolwright-config-tls-'));
const openssl = (...args: string[]): unknown =>
  execFileSync('openssl', args, { cwd: keys, stdio: ['ignore', 'pipe', 'pipe'] });
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];

beforeAll(() => {
  writeFileSync(join(keys, 'names.ext'), 'subjectAltName=IP:127.0.0.1');
  openssl('req', '-x509', ...KEY, '-nodes', '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=authority');
  for (const name of ['server', 'client']) {
    openssl('req', ...KEY, '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names.ext'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-out', `${name}.crt`);
  }
  openssl('ec', '-in', 'client.key', '-aes256', '-passout', 'pass:geheim', '-out', 'locked.key');
});
afterAll(() => rmSync(keys, { recursive: true }));

/** Returns the name in the client certificate. */
async function serve(): Promise<string> {
  const read = (name: string): string => readFileSync(join(keys, name), 'utf8');
  const server = createServer(
    { cert: read('server.crt'), key: read('server.key'), ca: read('ca.crt'), requestCert: true },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate() as { subject?: { CN: string } };
      response.writeHead(200, { 'content-type': 'text/plain' }).end(subject?.CN ?? 'nobody');
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function config(origin: string): string {
  cpSync(keys, join(folder(), 'keys'), { recursive: true });
  const components = { securitySchemes: { certificate: { type: 'mutualTLS' } } };
  write('pets.json', petsDocument({ components, security: [{ certificate: [] }] }));
  return `name: demo
outbound:
  allowPrivate: ['127.0.0.1']
  tls:
    origins: ['${origin}']
    cert: ./keys/client.crt
    key: keys/locked.key
    ca: keys/ca.crt
    passphrase: '\${env:PASSPHRASE}'
openapi: { document: pets.json, baseUrl: '${origin}' }
tools: [{ name: ask, description: Asks, http: { url: '${origin}/' } }]
`;
}

describe('the certificate of the file', () => {
  test('is shown to the servers that it is for', async () => {
    const configured = await load('c.yaml', config(await serve()), { PASSPHRASE: 'geheim' });
    expect(configured.openapi[0]?.operations[0]?.missingCredentials).toEqual([]);
    for (const name of ['listPets', 'ask'])
      expect(await call(configured, name)).toMatchObject({ content: [{ type: 'text', text: 'client' }] });
  });

  test('is refused with what is wrong with it, and its passphrase is not shown', async () => {
    expect(await complaints('c.yaml', config('https://a.example'), { PASSPHRASE: 'hunter2' })).toEqual([
      'c.yaml has a mistake:',
      'c.yaml:4:3 outbound.tls is invalid: Outbound requests: tls: cert and key cannot be used: the passphrase is wrong.',
    ]);
    expect(await complaints('d.yaml', config('http://a.example'), { PASSPHRASE: 'geheim' })).toEqual([
      'd.yaml has a mistake:',
      'd.yaml:4:3 outbound.tls is invalid: Outbound requests: tls.origins.0 must be an origin such as "https://api.example.com"; it is "http://a.example".',
    ]);
    expect(
      await complaints('e.yaml', 'name: demo\noutbound: { tls: { cert: a, keys: b, ca: 5, origins: [] } }\n'),
    ).toEqual([
      'e.yaml has 3 mistakes:',
      expect.stringContaining('e.yaml:2:29 outbound.tls.keys is unknown. Did you mean "key"?'),
      'e.yaml:2:38 outbound.tls.ca must be a file or an array of files',
      'e.yaml:2:45 outbound.tls.origins must have at least 1 entries',
    ]);
  });
});
