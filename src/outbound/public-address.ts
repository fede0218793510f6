import { BlockList, isIP } from 'node:net';

/** Special-purpose ranges of the IANA registries, and ranges that embed an IPv4 address: the network decides where those lead. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Special-purpose ranges within 2000::/3, the only global unicast range of IPv6. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const special = new BlockList();
for (const range of SPECIAL_V4) addRange(special, range);
for (const range of SPECIAL_V6) addRange(special, range);

const ordinaryV6 = new BlockList();
ordinaryV6.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is a public IP address. False for anything that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  // A zone index names a network interface of this machine; public addresses have none.
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      // defence: special-addresses
      return !special.check(address, 'ipv4');
    case 6:
      return ordinaryV6.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Whether an address of a connection is in a list. Node reports IPv4 connections of a dual-stack socket as IPv6. */
export function isListed(list: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  const version = isIP(plain);
  return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

/** Adds a range such as `10.0.0.0/8` or `fd00::/8`, or one address. Returns false if it is neither. */
export function addRange(list: BlockList, range: string): boolean {
  const [address = '', bits] = range.split('/');
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const most = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : Number(bits);
  if (bits === '' || !Number.isInteger(prefix) || prefix < 0 || prefix > most) return false;
  list.addSubnet(address, prefix, family);
  return true;
}
