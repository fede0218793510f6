import { isIP } from 'node:net';
import { isPublicAddress } from '../../../outbound/public-address.ts';

/** Names that nobody outside has: those without a dot, and those that are set aside. */
const OWN_NAMES = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/;

/**
 * The hosts of addresses that somebody typed and that are not public by the looks of them. Whoever types them means them; a name that is
 * public and leads somewhere private could be a trick of whoever owns it.
 */
export function findPrivateHosts(addresses: readonly string[]): string[] {
  const hosts = addresses.flatMap((address) => {
    if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return [];
    const host = new URL(address).hostname.replace(/^\[/, '').replace(/\]$/, '');
    if (isIP(host) !== 0) return isPublicAddress(host) ? [] : [host];
    const name = host.toLowerCase().replace(/\.$/, '');
    return OWN_NAMES.test(name) ? [name] : [];
  });
  return [...new Set(hosts)];
}
