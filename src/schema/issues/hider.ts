import { REDACTED } from '../../errors/sanitize.ts';
import type { SchemaView } from '../view/schema-view.ts';
import { isSecretPlace } from './secret-paths.ts';
import type { SecretPath } from './secret-paths.ts';
import { createNodeFinder, isNamedKey } from '../view/walk-path.ts';
import type { ValuePath } from '../view/walk-path.ts';

/** Redacts secrets in a text. */
export type Hide = (text: string) => string;

/** With more secrets than this, searching every message for each costs too much, and the whole text is hidden. */
const MAX_TEXTS = 1000;

/** Creates a function that redacts the secrets of one value in any text. The secrets are collected on first use. */
export function createHider(view: SchemaView, value: unknown, secrets: readonly SecretPath[]): Hide {
  if (secrets.length === 0) return (text) => text;
  let hide: Hide | undefined;
  return (text) => {
    hide ??= hideTexts(secretTexts(view, value, secrets));
    return hide(text);
  };
}

function hideTexts(texts: readonly string[]): Hide {
  if (texts.length > MAX_TEXTS) return () => REDACTED;
  const fragments = texts.flatMap((text) => text.match(FRAGMENT) ?? []);
  return (text) => {
    let hidden = text;
    for (const secret of texts) hidden = hidden.replaceAll(secret, REDACTED);
    return fragments.some((fragment) => hidden.includes(fragment)) ? REDACTED : hidden;
  };
}

/**
 * Fragments that survive every kind of quoting. ArkType escapes some strings twice, and a custom message may do anything: if such a
 * fragment of a secret is left, the whole text is hidden.
 */
const FRAGMENT = /[\p{L}\p{N}]{4,}/gu;

/**
 * Every secret scalar, and every key below a secret field that the schema does not name, as it could appear in a message; longest first.
 */
function secretTexts(view: SchemaView, value: unknown, secrets: readonly SecretPath[]): string[] {
  const texts = new Set<string>();
  const seen = new Set<object>();
  const findNode = createNodeFinder(view, value);
  const add = (text: string): void => {
    if (text === '') return;
    texts.add(text).add(JSON.stringify(text).slice(1, -1));
    // Validators may trim before they report.
    if (text.trim() !== '') texts.add(text.trim());
  };
  const collect = (current: unknown, path: ValuePath): void => {
    if (typeof current === 'object' && current !== null) {
      // Above the bound everything is hidden anyway.
      if (seen.has(current) || texts.size > MAX_TEXTS) return;
      seen.add(current);
      const isSecret = isSecretPlace(secrets, path, current);
      const node = isSecret ? findNode(path) : undefined;
      const members = Array.isArray(current)
        ? [...(current as unknown[]).entries()]
        : Object.entries(current);
      for (const [key, member] of members) {
        if (isSecret && typeof key === 'string' && !isNamedKey(view, node, key)) add(key);
        collect(member, [...path, key]);
      }
      return;
    }
    if (current === null || current === undefined) return;
    if (isSecretPlace(secrets, path, current)) add(`${current as string | number}`);
  };
  collect(value, []);
  return [...texts].toSorted((a, b) => b.length - a.length);
}
