import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate authority, a server and a client; the key of the client has the passphrase "geheim". */
export interface Certificates {
  readonly authority: string;
  readonly serverCert: string;
  readonly serverKey: string;
  /** Paths of all files, by name. */
  readonly paths: Readonly<Record<string, string>>;
}

let made: Certificates | undefined;

/** Created once for each run, with the openssl of the machine: nothing expires, and no key is in the repository. */
export function makeCertificates(): Certificates {
  return (made ??= make());
}

function make(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-openapi-tls-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const openssl = (...args: string[]): unknown =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const key = (name: string): string[] => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-keyout',
    `${name}.key`,
  ];
  writeFileSync(join(folder, 'names.ext'), 'subjectAltName=IP:127.0.0.1');
  openssl('req', '-x509', ...key('authority'), '-nodes', '-out', 'authority.crt', '-subj', '/CN=authority');
  for (const [name, how] of [
    ['server', ['-nodes']],
    ['client', ['-passout', 'pass:geheim']],
  ] as const) {
    openssl('req', ...key(name), ...how, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const by = [
      '-CA',
      'authority.crt',
      '-CAkey',
      'authority.key',
      '-CAcreateserial',
      '-extfile',
      'names.ext',
    ];
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-out', `${name}.crt`);
  }
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const names = ['authority.crt', 'client.crt', 'client.key'];
  return {
    authority: read('authority.crt'),
    serverCert: read('server.crt'),
    serverKey: read('server.key'),
    paths: Object.fromEntries(names.map((name) => [name, join(folder, name)])),
  };
}
