import { readHeaders } from '../../target/read-headers.ts';
import type { Settings } from './settings.ts';

/** What the next header begins with. An address that follows a comma, as in `Link`, begins none. */
const NEXT_HEADER = /^ *[A-Za-z][\w!#$%&'*+.^`|~-]*:(?!\/\/)/;

/** `k:v,k2:v2` apart: at a comma that a name and a colon follow, and at no other. */
export function splitHeaders(text: string): string[] {
  const pieces = text.split(',');
  const headers: string[] = [];
  for (const piece of pieces) {
    const last = headers.length - 1;
    if (last === -1 || NEXT_HEADER.test(piece)) headers.push(piece);
    else headers[last] += `,${piece}`;
  }
  return headers.map((header) => header.trim()).filter((header) => header !== '');
}

/** Headers by name. A value `env:NAME` is what the variable has. */
export function readApiHeaders(
  lines: readonly string[],
  flag: string,
  settings: Settings,
): Record<string, string> {
  const read = Object.entries(readHeaders(lines, flag));
  return Object.fromEntries(read.map(([name, value]) => [name, settings.secret(value, `--${flag} ${name}`)]));
}
