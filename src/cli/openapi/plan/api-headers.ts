import { readHeaders } from '../../target/read-headers.ts';
import type { Settings } from './settings.ts';

/** Start of the next header. A URL after a comma, as in `Link`, is not one. */
const NEXT_HEADER = /^ *[A-Za-z][\w!#$%&'*+.^`|~-]*:(?!\/\/)/;

/** Splits `k:v,k2:v2` at commas that are followed by a name and a colon. */
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

/** Parses headers. A value `env:NAME` is replaced with the environment variable. */
export function readApiHeaders(
  lines: readonly string[],
  flag: string,
  settings: Settings,
): Record<string, string> {
  const read = Object.entries(readHeaders(lines, flag));
  return Object.fromEntries(read.map(([name, value]) => [name, settings.secret(value, `--${flag} ${name}`)]));
}
