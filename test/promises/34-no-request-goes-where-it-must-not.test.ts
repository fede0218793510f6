import { expect } from 'vitest';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/child-server.ts';
import { promise } from './support/promise.ts';

/** Ways to write this machine, its neighbours and the servers of metadata of clouds. */
const SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '2130706433',
  '127.0.0.1.',
  '127.255.255.254',
  '0',
  '0.0.0.0',
  '0x0',
  '10.0.0.1',
  '10.255.255.255',
  '0xa.0.0.1',
  '012.0.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '192.168.1.254',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '100.64.0.1',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '\uFF11\uFF12\uFF17.0.0.1',
  '\u2460\u2461\u2466.0.0.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:0:127.0.0.1]',
  '[fe80::5efe:127.0.0.1]',
];

const NAMES = [
  'http://localhost/',
  'http://metadata.internal/',
  'https://rebind.example/',
  'http://a.example:8080/',
];

promise('no request goes where it must not', {
  checks: { 'however it is written, and whatever a name leads to': check },
  switches: [
    {
      defence: 'a look at addresses of version 4',
      off: [
        {
          module: 'outbound/public-address.js',
          find: "return !special.check(address, 'ipv4');",
          replace: 'return true;',
        },
      ],
      red: /connections/,
    },
    {
      defence: 'a look at the address that a name leads to',
      off: [
        {
          module: 'outbound/destinations.js',
          find: '!this.#mayReach(host, address))',
          replace: 'false)',
        },
      ],
      red: /connections/,
    },
  ],
});

async function check(without: readonly Weakness[]): Promise<void> {
  const child = await ChildServer.listen('reaching.mjs', { without });
  const ask = async (urls: readonly string[], answers: readonly (readonly string[])[]): Promise<Reached> => {
    const heard = child.hear<Reached>('connects');
    child.process.send({ urls, answers });
    return heard;
  };
  const written = await ask(
    SPELLINGS.map((host) => `http://${host}/`),
    [['1.1.1.1']],
  );
  expect(SPELLINGS.length).toBeGreaterThan(40);
  expect(written.connects, 'connections to what was written').toEqual([]);
  expect(written.failures.filter((failure) => failure !== 'blocked')).toEqual([]);

  const hidden = ['127.0.0.1', '::1', '10.0.0.7', '169.254.169.254', '::ffff:127.0.0.1', 'fd00::1'];
  for (const address of hidden) {
    const named = await ask(NAMES, [[address]]);
    expect(named.connects, 'connections to what a name leads to').toEqual([]);
    // Beside one that is public it is a trick all the same.
    const beside = await ask(NAMES, [['1.1.1.1', address]]);
    expect(beside.connects, 'connections to one of two').toEqual([]);
  }
  // A name that changes its mind: harmless when it is asked first, and then not.
  const changing = await ask(
    ['https://rebind.example/', 'https://rebind.example/'],
    [['1.1.1.1'], ['127.0.0.1']],
  );
  expect(changing.connects, 'connections of a name that changes').toEqual(['1.1.1.1']);
  expect(changing.failures).toEqual(['unreachable', 'blocked']);
}

interface Reached {
  readonly connects: readonly string[];
  readonly failures: readonly string[];
}
