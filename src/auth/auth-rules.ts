import { isListOf, NON_EMPTY } from '../errors/options/rules.ts';
import type { Check, Rule } from '../errors/options/rules.ts';

const isUrl: Check = (value) => typeof value === 'string' && URL.canParse(value);

export const URL_RULE: Rule = [isUrl, 'a URL such as "https://id.example.com"'];
export const URLS: Rule = [isListOf(isUrl), 'an array of URLs such as ["https://id.example.com"]'];

/** An empty string, such as that of a variable that is not set, would be the audience of tokens that name an empty one. */
export const STRING_OR_STRINGS: Rule = [
  (value) => [value].flat().length > 0 && isListOf(NON_EMPTY[0])([value].flat()),
  'a non-empty string or an array of non-empty strings',
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
