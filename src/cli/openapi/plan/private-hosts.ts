import { isIP } from 'node:net';
import { isPublicAddress } from '../../../outbound/public-address.ts';

/** Private host names: those without a dot, and those with a reserved suffix. */
const OWN_NAMES = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/;

/**
 * Finds hosts of typed URLs that are private by their spelling. A typed host is intended, so it is allowed. A public name that resolves to
 * a private address is not: its owner could use it for an attack.
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
