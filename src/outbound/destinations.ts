import { lookup as resolveName } from 'node:dns';
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { wrongValue } from '../errors/options/wrong-value.ts';
import { OutboundError } from './outbound-error.ts';
import { addRange, isPublicAddress } from './public-address.ts';

/** Resolves a host name to all its addresses. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Private destinations that are allowed: none, all, or these hosts, addresses and ranges. */
export type AllowedPrivate = boolean | readonly string[];

/**
 * Decides which addresses may be reached. Checked for each connection with the address it connects to, so that DNS rebinding has no effect.
 */
export class Destinations {
  readonly #allowsAll: boolean;
  readonly #hosts: ReadonlySet<string>;
  readonly #ranges = new BlockList();
  readonly #resolve: Resolve;

  constructor(allowed: AllowedPrivate = false, resolve: Resolve = resolveName) {
    this.#allowsAll = allowed === true;
    this.#resolve = resolve;
    const entries = typeof allowed === 'boolean' ? [] : allowed;
    this.#hosts = new Set(
      entries.filter((entry) => typeof entry !== 'string' || !addRange(this.#ranges, entry)).map(readHost),
    );
  }

  /** Rejects private IP addresses in a URL. Host names are checked when they are resolved. */
  assertUrl({ hostname }: URL): void {
    const address = hostname.replace(/^\[|\]$/g, '');
    // defence: address-in-a-url
    if (isIP(address) !== 0 && !this.#mayReach(hostname, address)) throw blocked(hostname, address);
  }

  /** Lookup function for sockets: resolves a name, and fails if any of its addresses is not allowed. */
  readonly lookup: LookupFunction = (host, options, done) => {
    this.#resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, [], 0);
      // A private address beside a public one is an attack, not a mistake.
      // defence: address-behind-a-name
      const wrong = addresses.find(({ address }) => !this.#mayReach(host, address));
      if (wrong !== undefined) {
        // System errors have a `path` of another kind.
        const refusal: Error = blocked(host, wrong.address);
        return done(refusal, [], 0);
      }
      const [first] = addresses;
      if (first === undefined)
        return done(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), [], 0);
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };

  #mayReach(host: string, address: string): boolean {
    if (this.#allowsAll || isPublicAddress(address) || this.#hosts.has(normalize(host))) return true;
    return this.#ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Description of the values of `allowPrivate`, for messages. */
export const ALLOWED_PRIVATE =
  'true, false, or hosts, addresses and ranges, such as "localhost", "10.1.2.3" and "10.0.0.0/8"';

function readHost(entry: unknown): string {
  const isHost = typeof entry === 'string' && /^[^\s/:@?#]+$/.test(entry);
  if (!isHost) {
    throw wrongValue('Outbound requests', {
      option: 'allowPrivate',
      expected: ALLOWED_PRIVATE,
      value: entry,
    });
  }
  return normalize(entry);
}

/** A trailing dot does not change a host name. */
function normalize(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

function blocked(host: string, address: string): OutboundError {
  const where = host.replace(/^\[|\]$/g, '') === address ? address : `${host} resolves to ${address}, which`;
  return new OutboundError(
    'blocked',
    `${where} is not a public address. To allow requests to it, add "${host}" to allowPrivate.`,
    { option: 'allowPrivate', reason: 'private-address', expected: host, received: address },
  );
}
