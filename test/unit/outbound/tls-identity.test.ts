import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { DefinitionError } from '../../../src/errors/errors.ts';
import { OutboundClient } from '../../../src/outbound/outbound-client.ts';
import type { OutboundOptions } from '../../../src/outbound/outbound-client.ts';
import { OutboundError } from '../../../src/outbound/outbound-error.ts';
import { refused } from '../../support/refused.ts';

/** Created for each run, with the openssl of the machine: nothing expires, and no key is in the repository. */
const folder = mkdtempSync(join(tmpdir(), 'toolwright-tls-'));
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const openssl = (...args: string[]): unknown =>
  execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];

function makeAuthority(name: string): void {
  openssl(
    'req',
    '-x509',
    ...KEY,
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.crt`,
    '-subj',
    `/CN=${name}`,
  );
}

function makeSigned(name: string, authority: string): void {
  openssl('req', ...KEY, '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
  const by = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`, '-CAcreateserial'];
  openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-extfile', 'names.ext', '-out', `${name}.crt`);
}

beforeAll(() => {
  writeFileSync(join(folder, 'names.ext'), 'subjectAltName=IP:127.0.0.1');
  makeAuthority('authority');
  makeAuthority('stranger');
  makeSigned('server', 'authority');
  makeSigned('client', 'authority');
  makeSigned('intruder', 'stranger');
  openssl(
    'pkcs12',
    '-export',
    '-inkey',
    'client.key',
    '-in',
    'client.crt',
    '-passout',
    'pass:geheim',
    '-out',
    'client.pfx',
  );
  openssl('ec', '-in', 'client.key', '-aes256', '-passout', 'pass:geheim', '-out', 'client.locked.key');
});
afterAll(() => rmSync(folder, { recursive: true }));

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Returns the name in the client certificate. */
async function serve(options: ServerOptions = {}): Promise<string> {
  const server = createServer(
    {
      cert: read('server.crt'),
      key: read('server.key'),
      ca: read('authority.crt'),
      requestCert: true,
      rejectUnauthorized: true,
      ...options,
    },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate() as { subject?: { CN: string } };
      response.end(subject?.CN ?? 'nobody');
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(tls?: object): OutboundClient {
  const options = { allowPrivate: ['127.0.0.1'], maxRetries: 0, ...(tls && { tls }) };
  const client = new OutboundClient(options as OutboundOptions);
  closers.push(() => client.close());
  return client;
}

async function ask(client: OutboundClient, origin: string): Promise<string> {
  return (await client.send({ url: new URL(origin) })).body.toString();
}

async function failureOf(sent: Promise<unknown>): Promise<string> {
  const error: unknown = await sent.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return (error as OutboundError).message.replace(/:\d+/, '');
}

describe('a server that asks for a certificate', () => {
  test('gets the one of this side', async () => {
    const origin = await serve();
    const ca = read('authority.crt');
    const client = clientOf({ origins: [origin], cert: read('client.crt'), key: read('client.key'), ca });
    expect(await ask(client, origin)).toBe('client');
    expect(await ask(client, origin)).toBe('client');
  });

  test('gets it from a PKCS#12 file, and with a key that is locked', async () => {
    const origin = await serve();
    const common = { origins: [`${origin}/`], ca: [read('authority.crt')], passphrase: 'geheim' };
    const pfx = readFileSync(join(folder, 'client.pfx'));
    expect(await ask(clientOf({ ...common, pfx }), origin)).toBe('client');
    const locked = { cert: Buffer.from(read('client.crt')), key: Buffer.from(read('client.locked.key')) };
    expect(await ask(clientOf({ ...common, ...locked }), origin)).toBe('client');
  });

  test('rejects clients without one', async () => {
    const origin = await serve();
    const client = clientOf({ origins: [origin], ca: read('authority.crt') });
    expect(client.presentsCertificateTo(origin)).toBe(false);
    expect(await failureOf(ask(client, origin))).toMatch(
      /^https:\/\/127\.0\.0\.1 could not be reached: it (?:requires a client certificate, and none is configured|closed the connection)\.$/,
    );
  });

  test('rejects clients with an untrusted certificate', async () => {
    const origin = await serve();
    const own = { cert: read('intruder.crt'), key: read('intruder.key') };
    expect(
      await failureOf(ask(clientOf({ origins: [origin], ca: read('authority.crt'), ...own }), origin)),
    ).toMatch(/could not be reached: it (?:does not trust the client certificate|closed the connection)\.$/);
  });
});

describe('a server that is not among the origins', () => {
  test('is not shown the certificate, though it asks for one', async () => {
    const [named, other] = [await serve(), await serve({ rejectUnauthorized: false })];
    const own = { cert: read('client.crt'), key: read('client.key'), ca: read('authority.crt') };
    const client = clientOf({ origins: [named], ...own });
    expect([client.presentsCertificateTo(named), client.presentsCertificateTo(other)]).toEqual([true, false]);
    expect(await ask(client, named)).toBe('client');
    expect(await failureOf(ask(client, other))).toBe(
      'https://127.0.0.1 could not be reached: its certificate is signed by an untrusted certificate authority.',
    );
    // The process now accepts every certificate: the handshake continues until certificates are exchanged.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      expect(await ask(client, other)).toBe('nobody');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('is not believed because another one is', async () => {
    const [named, other] = [
      await serve({ rejectUnauthorized: false }),
      await serve({ rejectUnauthorized: false }),
    ];
    const client = clientOf({ origins: [named], rejectUnauthorized: false });
    expect(await ask(client, named)).toBe('nobody');
    expect(await failureOf(ask(client, other))).toContain('an untrusted certificate authority');
  });
});

test('a server whose certificate another authority signed is not believed', async () => {
  const origin = await serve({ rejectUnauthorized: false });
  const client = clientOf({ origins: [origin], ca: read('stranger.crt') });
  expect(await failureOf(ask(client, origin))).toContain('an untrusted certificate authority');
});

test('without tls no certificate is sent', () => {
  expect(clientOf().presentsCertificateTo('https://api.example')).toBe(false);
});

describe('is refused at once:', () => {
  const api = ['https://api.example'];
  const client = (): object => ({ cert: read('client.crt'), key: read('client.key') });
  test.each<[string, () => object, string | Error]>([
    ['no origins', () => client(), refused('tls', { path: ['origins'] })],
    ['an empty list of origins', () => ({ ...client(), origins: [] }), refused('tls', { path: ['origins'] })],
    [
      'an origin without TLS',
      () => ({ origins: ['http://api.example'] }),
      refused('tls', { path: ['origins', 0] }),
    ],
    [
      'an origin with a path',
      () => ({ origins: ['https://api.example/v1'] }),
      refused('tls', { path: ['origins', 0] }),
    ],
    ['an origin that is none', () => ({ origins: [7] }), refused('tls', { path: ['origins', 0] })],
    ['a certificate without its key', () => ({ origins: api, cert: read('client.crt') }), 'key is missing.'],
    ['a key without its certificate', () => ({ origins: api, key: read('client.key') }), 'cert is missing.'],
    [
      'the key of another certificate',
      () => ({ origins: api, cert: read('client.crt'), key: read('server.key') }),
      'cert and key cannot be used: the key belongs to another certificate.',
    ],
    [
      'a wrong passphrase',
      () => ({
        origins: api,
        cert: read('client.crt'),
        key: read('client.locked.key'),
        passphrase: 'hunter2',
      }),
      'cert and key cannot be used: the passphrase is wrong.',
    ],
    ['no PEM', () => ({ origins: api, cert: 'client.crt', key: 'client.key' }), 'it is not PEM'],
    ['an empty key', () => ({ ...client(), origins: api, key: '' }), refused('tls', { path: ['key'] })],
    ['a key of a wrong type', () => ({ ...client(), origins: api, key: 5 }), 'key must be PEM'],
    ['PKCS#12 that is none', () => ({ origins: api, pfx: Buffer.from('x') }), 'pfx cannot be used: '],
    [
      'PKCS#12 as a text',
      () => ({ origins: api, pfx: 'client.pfx' }),
      'pfx must be the bytes of a PKCS#12 file',
    ],
    [
      'two identities',
      () => ({ ...client(), origins: api, pfx: Buffer.from('x') }),
      'either pfx, or cert and key',
    ],
    [
      'an authority that is none',
      () => ({ origins: api, ca: ['authority.crt'] }),
      'ca must be certificates in PEM',
    ],
    ['ca of a wrong type', () => ({ origins: api, ca: {} }), 'ca must be certificates in PEM'],
    [
      'a passphrase of a wrong type',
      () => ({ origins: api, passphrase: 1 }),
      refused('tls', { path: ['passphrase'] }),
    ],
    [
      'a switch that is none',
      () => ({ origins: api, rejectUnauthorized: 'no' }),
      refused('tls', { path: ['rejectUnauthorized'] }),
    ],
    [
      'an unknown member',
      () => ({ origins: api, certificate: 'x' }),
      refused('tls', { path: ['certificate'], reason: 'unknown-option' }),
    ],
  ])('%s', (_what, tls, message) => {
    let thrown: unknown;
    try {
      clientOf(tls());
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(DefinitionError);
    expect(() => {
      throw thrown;
    }).toThrow(message);
    expect((thrown as Error).message).not.toMatch(/hunter2|PRIVATE KEY/);
  });
});
