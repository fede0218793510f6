import { BlockList } from 'node:net';
import {
  assertOptions,
  FUNCTION,
  isListOf,
  isString,
  HEADER_NAME,
  required,
} from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import { wrongValue } from '../errors/options/wrong-value.ts';
import { addRange, isListed } from '../outbound/public-address.ts';
import { invalid, NO_CREDENTIALS } from './verifier.ts';
import type { CredentialRequest, Verifier } from './verifier.ts';

/** Options of {@link trustedHeaders}. */
export interface TrustedHeadersOptions {
  /** Addresses and ranges of the proxies whose headers are believed, such as `['10.0.0.0/8']`. */
  readonly proxies: readonly string[];
  /** Header with the id of the principal, such as `x-forwarded-user`. */
  readonly id: string;
  /** Header with the scopes, separated by spaces or commas. Default: none. */
  readonly scopes?: string;
  /** Header with the roles, separated by spaces or commas. Default: none. */
  readonly roles?: string;
  /** Header with the tenant. Default: none. */
  readonly tenant?: string;
  /** Finds the address of the connection where the platform does not: for `toFetchHandler`. */
  readonly address?: (request: {
    readonly headers: { get(name: string): string | null };
  }) => string | undefined;
}

/**
 * Takes the identity that a proxy in front of this server has verified and put into headers. The same headers from any other address are
 * rejected: the proxy must remove them from what it forwards, and this server must not be reachable past it.
 *
 * @example
 * const auth = trustedHeaders({ proxies: ['10.0.0.5'], id: 'x-forwarded-user', scopes: 'x-forwarded-scopes' });
 */
export function trustedHeaders(options: TrustedHeadersOptions): Verifier {
  assertOptions('trustedHeaders', options, RULES);
  const proxies = new BlockList();
  for (const [index, range] of options.proxies.entries())
    if (!addRange(proxies, range))
      throw wrongValue('trustedHeaders', {
        option: 'proxies',
        path: [index],
        expected: 'an IP address or a range such as "10.0.0.0/8"',
        value: range,
      });
  const names = [options.id, options.scopes, options.roles, options.tenant].filter(
    (name) => name !== undefined,
  );
  return {
    authorizationServers: [],
    verify: (request) => {
      const { headers } = request;
      if (names.every((name) => headers.get(name) === null)) return NO_CREDENTIALS;
      const address = options.address ? options.address(request) : request.address;
      // defence: named-proxies
      if (address === undefined || !isListed(proxies, address))
        return invalid('Headers of identity are accepted from the proxy only.');
      const mistake = findMistake(names, request, options);
      if (mistake !== undefined) return invalid(mistake);
      const id = headers.get(options.id)?.trim();
      if (id === undefined || id === '') return invalid('The proxy named no principal.');
      const tenant = options.tenant === undefined ? null : headers.get(options.tenant);
      return {
        kind: 'verified',
        principal: {
          id,
          scopes: listOf(options.scopes, headers),
          roles: listOf(options.roles, headers),
          ...(tenant === null || tenant === '' ? {} : { tenant }),
        },
      };
    },
  };
}

const RULES: Rules<keyof TrustedHeadersOptions> = {
  proxies: required([
    (value) => isListOf(isString)(value) && (value as readonly string[]).length > 0,
    "an array of addresses and ranges: ['10.0.0.0/8']",
  ]),
  id: required(HEADER_NAME),
  scopes: HEADER_NAME,
  roles: HEADER_NAME,
  tenant: HEADER_NAME,
  address: FUNCTION,
};

/** A client may have sent one header and the proxy another: nothing tells which of them the proxy has verified. */
function findMistake(
  names: readonly string[],
  { headers, isRepeated }: CredentialRequest,
  { id, tenant }: TrustedHeadersOptions,
): string | undefined {
  const repeated = names.find((name) => isRepeated?.(name) === true);
  if (repeated !== undefined) return `The header ${repeated} must not be repeated.`;
  // Repeated headers were joined with commas, which separate scopes and roles in a single header too.
  const joined = isRepeated
    ? undefined
    : [id, tenant].find((name) => name !== undefined && headers.get(name)?.includes(',') === true);
  return joined === undefined ? undefined : `The header ${joined} must not contain a comma.`;
}

function listOf(name: string | undefined, headers: { get(name: string): string | null }): readonly string[] {
  const value = name === undefined ? null : headers.get(name);
  return value === null ? [] : value.split(/[\s,]+/).filter((part) => part !== '');
}
