import { isListOf, isString } from '../errors/options/rules.ts';
import type { Rule } from '../errors/options/rules.ts';

const isStrings = isListOf(isString);

export const URL_RULE: Rule = [
  (value) => typeof value === 'string' && URL.canParse(value),
  'a URL such as "https://id.example.com"',
];

export const STRING_OR_STRINGS: Rule = [
  (value) =>
    typeof value === 'string' ? value !== '' : isStrings(value) && (value as readonly string[]).length > 0,
  'a string or an array of strings',
];

/** Whether an audience of a token, one or an array, is among those that are accepted. */
export function hasAudience(aud: unknown, accepted: string | readonly string[]): boolean {
  const named = new Set(
    [aud].flat().map((name) => (typeof name === 'string' ? canonicalOf(name) : undefined)),
  );
  return [accepted].flat().some((audience) => named.has(canonicalOf(audience)));
}

/** Scheme and host of a URL; a URL with user information is compared as it is written. */
const ORIGIN = /^https?:\/\/[^/?#@]+(?=[/?#]|$)/i;

/**
 * An audience as it is compared: scheme and host in lower case, an origin without its slash, everything else as it is written. Only ASCII
 * letters have a lower case here: others, such as the Kelvin sign, would become a letter of another host.
 */
function canonicalOf(audience: string): string {
  const origin = ORIGIN.exec(audience)?.[0] ?? '';
  const rest = audience.slice(origin.length);
  const lower = origin.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return origin !== '' && rest === '/' ? lower : `${lower}${rest}`;
}
