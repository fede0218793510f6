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

/** Audiences as tokens may spell them: an origin with and without its slash. Everything else is compared as it is written. */
export function spellingsOf(audience: string | readonly string[]): string[] {
  const named = typeof audience === 'string' ? [audience] : audience;
  return named.flatMap((name) => {
    if (!URL.canParse(name)) return [name];
    const { origin, pathname, search, hash } = new URL(name);
    const isOrigin = pathname === '/' && search === '' && hash === '' && origin !== 'null';
    return isOrigin ? [origin, `${origin}/`] : [name];
  });
}

/** Whether an audience of a token, one or an array, is among those that are accepted. */
export function hasAudience(aud: unknown, accepted: string | readonly string[]): boolean {
  const named = Array.isArray(aud) ? aud : [aud];
  return spellingsOf(accepted).some((audience) => named.includes(audience));
}
