import { describe, expect, test } from 'vitest';
import { Destinations } from '../../../src/outbound/destinations.ts';
import type { Resolve } from '../../../src/outbound/destinations.ts';
import { isPublicAddress } from '../../../src/outbound/public-address.ts';
import { refused } from '../../support/refused.ts';

/** Resolves to these addresses, one list after the other, then always the last. Nothing is connected. */
function resolveTo(...answers: readonly (readonly string[])[]): Resolve {
  const left = [...answers];
  return (_host, _options, done) => {
    const addresses = (left.length > 1 ? left.shift() : left[0]) ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

function lookUp(destinations: Destinations, host: string, all = true): Promise<unknown> {
  return new Promise((resolve) => {
    destinations.lookup(host, { all }, (error, address, family) => {
      resolve(error === null ? (all ? address : [address, family]) : error.message);
    });
  });
}

describe('addresses that are not public', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::10.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::7f00:1',
    '100::1',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '::5efe:127.0.0.1',
    'localhost',
    '',
    '127.1',
    '1.2.3.4%eth0',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '100.63.255.255',
    '172.32.0.1',
    '192.0.1.1',
    '223.255.255.255',
  ])('but %s is', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each(['2606:4700:4700::1111', '2a00:1450:4001::200e', '2400:cb00::1', '2001:4860:4860::8888'])(
    'and %s is',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe('a URL with an address in it', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://0/',
    'http://0.0.0.0:8080/',
    'http://１２７.０.０.１/',
    'https://192.168.1.1:8443/',
  ])('%s is refused before anything is sent', (url) => {
    expect(() => new Destinations().assertUrl(new URL(url))).toThrow('is not a public address');
  });

  test('is fine where it is public, or allowed', () => {
    new Destinations().assertUrl(new URL('http://1.1.1.1/'));
    new Destinations().assertUrl(new URL('http://[2606:4700:4700::1111]/'));
    new Destinations(true).assertUrl(new URL('http://127.0.0.1/'));
    new Destinations(['127.0.0.1']).assertUrl(new URL('http://127.0.0.1:3000/'));
    new Destinations(['10.0.0.0/8']).assertUrl(new URL('http://10.20.30.40/'));
    new Destinations(['fd00::/8']).assertUrl(new URL('http://[fd00::7]/'));
  });

  test('is refused where another one is allowed', () => {
    const destinations = new Destinations(['127.0.0.1', '10.0.0.0/8', 'localhost']);
    for (const url of [
      'http://127.0.0.2/',
      'http://11.0.0.1.nip.io/',
      'http://[::1]/',
      'http://192.168.0.1/',
    ]) {
      if (url.includes('nip')) continue;
      expect(() => destinations.assertUrl(new URL(url)), url).toThrow('is not a public address');
    }
  });
});

describe('a name', () => {
  test('is refused by what it leads to', async () => {
    expect(await lookUp(new Destinations(false, resolveTo(['10.0.0.7'])), 'internal.example')).toBe(
      'internal.example resolves to 10.0.0.7, which is not a public address. To allow requests to it, add "internal.example" to allowPrivate.',
    );
  });

  test('is refused where only one of its addresses is out of bounds', async () => {
    const destinations = new Destinations(false, resolveTo(['1.1.1.1', '::1']));
    expect(await lookUp(destinations, 'both.example')).toContain('both.example resolves to ::1');
  });

  test('is resolved again for every connection', async () => {
    const destinations = new Destinations(false, resolveTo(['1.1.1.1'], ['127.0.0.1']));
    expect(await lookUp(destinations, 'rebind.example')).toEqual([{ address: '1.1.1.1', family: 4 }]);
    expect(await lookUp(destinations, 'rebind.example')).toContain('resolves to 127.0.0.1');
  });

  test('that is allowed may lead anywhere, however it is written', async () => {
    const destinations = new Destinations(['Api.Internal'], resolveTo(['10.0.0.7']));
    for (const host of ['api.internal', 'API.INTERNAL', 'api.internal.'])
      expect(await lookUp(destinations, host)).toEqual([{ address: '10.0.0.7', family: 4 }]);
    expect(await lookUp(destinations, 'other.internal')).toContain('is not a public address');
    expect(await lookUp(destinations, 'evil-api.internal')).toContain('is not a public address');
  });

  test('gives one address to those who ask for one', async () => {
    expect(
      await lookUp(new Destinations(false, resolveTo(['1.1.1.1', '8.8.8.8'])), 'a.example', false),
    ).toEqual(['1.1.1.1', 4]);
    expect(await lookUp(new Destinations(false, resolveTo([])), 'none.example')).toBe(
      'none.example has no address',
    );
  });
});

test.each([['http://x'], ['a b'], ['host:80'], ['10.0.0.0/33'], ['10.0.0.0/'], [''], [5]])(
  'allowPrivate refuses %j',
  (entry) => {
    expect(() => new Destinations([entry as string])).toThrow(refused('allowPrivate'));
  },
);
