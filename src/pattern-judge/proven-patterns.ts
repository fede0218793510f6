import type { LinearCost } from './run/steps.ts';

const DATE = String.raw`(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))`;
const HOURS = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const FRACTION = String.raw`:[0-5]\d(?:\.\d+)?`;
const OFFSET = String.raw`Z|([+-]${HOURS})`;
const LOCAL = `|${HOURS}(?:${FRACTION})?`;
const EMAIL = String.raw`^(?:[A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`;

function datetime(zone: string, local: string): string {
  return `^${DATE}T(?:${HOURS}${FRACTION}(?:${zone})${local})$`;
}

/**
 * Costs of Zod's patterns for `datetime` and `email`, by source. A test proves them, because proving them here would take a fifth of the
 * startup time of a server with many tools.
 */
export const PROVEN_PATTERNS: ReadonlyMap<string, LinearCost> = new Map([
  [datetime('Z', ''), { fixed: 264, each: 4, most: 12 }],
  [datetime(OFFSET, ''), { fixed: 270, each: 6, most: 12 }],
  [datetime('Z', LOCAL), { fixed: 298, each: 7, most: 12 }],
  [datetime(OFFSET, LOCAL), { fixed: 304, each: 9, most: 12 }],
  [EMAIL, { fixed: 16, each: 10, most: 10 }],
]);
