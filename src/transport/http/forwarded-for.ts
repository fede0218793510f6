import { BlockList, isIP } from 'node:net';
import { DefinitionError } from '../../errors/errors.ts';
import { addRange, isListed } from '../../outbound/public-address.ts';
import type { ClientAddress } from './message/http-options.ts';

/**
 * Returns a `clientAddress` function that reads the client's address from the header `X-Forwarded-For` of your own proxies. Entries that
 * other senders added are ignored.
 *
 * @example
 * await serveHttp(server, { clientAddress: forwardedFor(['10.0.0.0/8']) });
 */
export function forwardedFor(proxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  if (!Array.isArray(proxies))
    throw new DefinitionError(`forwardedFor: proxies must be an array: ${EXAMPLE}.`, {
      option: 'proxies',
      expected: 'an array of addresses and ranges',
    });
  for (const [index, range] of proxies.entries()) {
    if (!addRange(trusted, String(range)))
      throw new DefinitionError(
        `forwardedFor: invalid proxy "${String(range)}": expected an IP address or a range: ${EXAMPLE}.`,
        { option: 'proxies', path: [index], received: String(range) },
      );
  }
  // defence: entries-of-trusted-proxies
  const isTrusted = (address: string): boolean => isListed(trusted, address);
  return ({ address, headers }) => {
    const said = headers.get('x-forwarded-for')?.split(',').slice(-MAX_PROXIES) ?? [];
    let client = address;
    // The connected proxy wrote the last address; the proxy before it wrote the previous one.
    while (client !== undefined && isTrusted(client)) {
      const next = said.pop()?.trim();
      if (next === undefined || isIP(next) === 0) return client;
      client = next;
    }
    return client;
  };
}

const EXAMPLE = "forwardedFor(['10.0.0.0/8', '2001:db8::1'])";

/** Maximum length of a chain of proxies. */
const MAX_PROXIES = 16;
