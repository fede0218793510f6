import { toLoggedError } from '../../../errors/log-thrown.ts';
import type { Served } from '../../../wire/served/served.ts';
import type { HttpRequest } from '../message/http-message.ts';
import type { HttpOptions } from '../message/http-options.ts';

/** The address that the calls of an anonymous client are counted for; undefined where it is not known. */
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

/** Longer than any address. */
const MAX_CHARS = 64;

/** IPv4 addresses as they are. Of IPv6 the first 64 bits: a single host usually has all addresses behind them. */
function networkOf(address: string): string {
  // Nearly always: this is asked for every request.
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
