import { describe, expect, test } from 'vitest';
import { forwardedFor } from '../../../src/http.ts';
import { findAddress } from '../../../src/transport/http/gate/client-address.ts';
import type { HttpRequest } from '../../../src/transport/http/message/http-message.ts';
import { recordLog } from '../../support/log-recorder.ts';

function request(address: string | undefined, forwarded?: string): HttpRequest {
  const header = (name: string): string | undefined => (name === 'x-forwarded-for' ? forwarded : undefined);
  return { address, header } as HttpRequest;
}

describe('the address that anonymous calls are counted for', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, undefined],
  ])('%s is counted as %s', (address, expected) => {
    expect(findAddress(request(address), {}, recordLog())).toBe(expected);
  });

  test('a function of your own finds it, and costs nothing where it fails', () => {
    const log = recordLog();
    const clientAddress = ({ headers }: { headers: { get(name: string): string | null } }): string =>
      headers.get('X-Forwarded-For') ?? '';
    expect(findAddress(request(undefined, '203.0.113.7'), { clientAddress }, log)).toBe('203.0.113.7');
    expect(findAddress(request('127.0.0.1'), { clientAddress }, log)).toBeUndefined();
    const failing = (): never => {
      throw new Error('no');
    };
    expect(findAddress(request('127.0.0.1'), { clientAddress: failing }, log)).toBeUndefined();
    expect(log.entries.map(({ message }) => message)).toEqual([
      'clientAddress failed; the address of the request is unknown',
    ]);
  });
});

describe('forwardedFor', () => {
  const find = forwardedFor(['10.0.0.0/8', 'fd00::/8']);
  const ask = (address: string | undefined, forwarded?: string): string | undefined =>
    find({ address, headers: { get: () => forwarded ?? null } });

  test.each([
    ['a client that is connected itself', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['a client behind a proxy', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['a client behind two proxies', '10.0.0.1', '203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['a client that names another', '10.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['a proxy of both versions', '::ffff:10.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['a proxy that says nothing', '10.0.0.1', undefined, '10.0.0.1'],
    ['a proxy that says nonsense', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['no connection', undefined, '203.0.113.7', undefined],
  ])('%s', (_, address, forwarded, expected) => {
    expect(ask(address, forwarded)).toBe(expected);
  });

  test('takes addresses and ranges alone', () => {
    expect(() => forwardedFor(['proxy.internal'])).toThrow(
      `forwardedFor: invalid proxy "proxy.internal": expected an IP address or a range: forwardedFor(['10.0.0.0/8', '2001:db8::1']).`,
    );
    expect(() => forwardedFor('10.0.0.0/8' as never)).toThrow('forwardedFor: proxies must be an array');
  });
});
