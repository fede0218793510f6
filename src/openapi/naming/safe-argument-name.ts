import { toSafeName } from './safe-name.ts';
import { shortHash } from './short-hash.ts';

const MAX_LENGTH = 64;
const FORBIDDEN = /[^A-Za-z0-9_.-]+/g;
/** Inherited names of all objects: code could read one where there is none. */
const INHERITED: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);
/** After this many equal names a hash is faster to find than a number. */
const MAX_NUMBER = 9;

/**
 * A property name that every model vendor accepts (1 to 64 letters, digits, `_`, `.` or `-`) and that is not taken:
 * `filter[status]` becomes `filter_status`, `$top` becomes `top`. A valid name stays unchanged.
 */
export function safeArgumentName(name: string, taken: ReadonlySet<string>): string {
  const safe = /[A-Za-z0-9]/.test(name) ? toSafeName(name, FORBIDDEN) : '';
  const base = safe === '' ? 'argument' : safe;
  const fitting = base.length > MAX_LENGTH ? withEnding(base, shortHash(name)) : base;
  const wanted = INHERITED.has(fitting) ? `${fitting}_` : fitting;
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; number <= MAX_NUMBER; number += 1) {
    const numbered = withEnding(wanted, String(number));
    if (!taken.has(numbered)) return numbered;
  }
  for (let salt = 0; ; salt += 1) {
    const hashed = withEnding(wanted, shortHash(salt === 0 ? name : `${name} ${salt}`));
    if (!taken.has(hashed)) return hashed;
  }
}

function withEnding(base: string, ending: string): string {
  return `${base.slice(0, MAX_LENGTH - ending.length - 1)}_${ending}`;
}
