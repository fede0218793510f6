import { toLoggedError } from '../../../errors/log-thrown.ts';
import type { Served } from '../../../wire/served/served.ts';
import type { HttpRequest } from '../message/http-message.ts';
import type { HttpOptions } from '../message/http-options.ts';

/** Address by which the calls of an anonymous client are counted; undefined if it is unknown. */
export function findAddress(
  request: HttpRequest,
  { clientAddress }: Pick<HttpOptions, 'clientAddress'>,
  { logger }: Pick<Served, 'logger'>,
): string | undefined {
  const { address } = request;
  if (clientAddress === undefined) return address && networkOf(address);
  try {
    const found: unknown = clientAddress({
      address,
      headers: { get: (name) => request.header(name.toLowerCase()) ?? null },
    });
    return typeof found === 'string' && found !== '' ? networkOf(found) : undefined;
  } catch (error) {
    logger.error('clientAddress failed; the address of the request is unknown', {
      error: toLoggedError(error),
    });
    return undefined;
  }
}

/** Maximum length of an address. */
const MAX_CHARS = 64;

/** IPv4 addresses are kept. IPv6 addresses are cut to the first 64 bits: one host usually has all addresses of such a network. */
function networkOf(address: string): string {
  // Fast path: this runs for every request.
  if (!address.includes(':')) return address.slice(0, MAX_CHARS);
  const [shown = ''] = address.slice(0, MAX_CHARS).toLowerCase().split('%');
  const mapped = /^::ffff:(?<v4>[\d.]+)$/.exec(shown)?.groups?.['v4'];
  if (mapped !== undefined) return mapped;
  const [start = '', end = ''] = shown.split('::');
  const before = start === '' ? [] : start.split(':');
  const after = end === '' ? [] : end.split(':');
  const gap = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...gap, ...after].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
