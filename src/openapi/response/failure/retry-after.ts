import type { OutboundAnswer } from '../../../outbound/outbound-client.ts';

/** Time to wait that a response asks for, in milliseconds; undefined if there is none. `now` is in milliseconds since 1970. */
export function readRetryAfter(headers: OutboundAnswer['headers'], now: number): number | undefined {
  const after = headers.get('retry-after')?.trim();
  if (after !== undefined) return toWait(after, now);
  // Some APIs send these headers with every response.
  const remaining = headers.get('ratelimit-remaining') ?? headers.get('x-ratelimit-remaining') ?? '0';
  const reset = headers.get('ratelimit-reset') ?? headers.get('x-ratelimit-reset');
  return reset === undefined || remaining.trim() !== '0' ? undefined : toWait(reset.trim(), now);
}

/** Larger numbers are seconds since 1970, not seconds from now. */
const FIRST_MOMENT = 1_000_000_000;

function toWait(said: string, now: number): number | undefined {
  if (/^\d{1,10}(?:\.\d{1,6})?$/.test(said)) {
    const seconds = Number(said);
    return seconds < FIRST_MOMENT ? seconds * 1000 : Math.max(0, seconds * 1000 - now);
  }
  const moment = said.length > 64 ? Number.NaN : Date.parse(said);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}

const UNITS: readonly [name: string, ms: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** `2 minutes`: in the largest unit of which there are at least two, rounded up. */
export function describeWait(ms: number): string {
  const [name, size] = UNITS.find((unit) => ms >= unit[1] * 2) ?? ['second', 1000];
  const count = Math.max(1, Math.ceil(ms / size));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
