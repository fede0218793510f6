import { percentDecode } from './percent-decode.ts';

/** Parses query parameters in any order, each at most once; undefined if the query has anything else. */
export function readQuery(query: string, names: readonly string[]): Record<string, string> | undefined {
  if (query.includes('#')) return undefined;
  const values = new Map<string, string>();
  const pieces = query.split('&');
  if (pieces.length > names.length) return undefined;
  for (const piece of pieces) {
    const equals = piece.indexOf('=');
    const name = piece.slice(0, Math.max(equals, 0));
    const value = percentDecode(piece.slice(equals + 1));
    if (equals === -1 || value === undefined || !names.includes(name) || values.has(name)) return undefined;
    values.set(name, value);
  }
  return Object.fromEntries(values);
}
