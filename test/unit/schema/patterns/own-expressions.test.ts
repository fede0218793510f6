import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { judgePattern } from '../../../../src/pattern-judge/judge-pattern.ts';
import { ROOT } from '../../../support/dist.ts';

/** Run on texts of authors at registration, never on texts of callers. */
const NEVER_SEE_CALLERS = new Set([
  String.raw`(["'${'`'}])(?:\\[\s\S]|(?!\1)[^\\])*\1`,
  String.raw`[.\s]+$`,
  String.raw`\s*\n\s*`,
  String.raw`\\k<([^>]*)>`,
  String.raw`^(?:async\b)?[^{}]*\{[^{}]*\bnext\b[^{}]*\}`,
  String.raw`\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?!\?)|\(\?<([^=!>][^>]*)>`,
]);

/** Linear, with more steps per character than the judge accepts: up to 33 titles can be open at one position. */
const COUNTED = '<title[^>]{0,200}>([^<]{0,500})';

/** They have no other pattern in the schema, and run once per string. */
const MAX_EACH = 250;

/** Every literal regular expression in a file. */
function expressionsOf(file: string): RegExp[] {
  const found: RegExp[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } | null };
    if (regex) found.push(new RegExp(regex.pattern, regex.flags));
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, readFileSync(file, 'utf8')).program.body);
  return found;
}

function slowOnes(expressions: readonly RegExp[]): string[] {
  const isSlow = (expression: RegExp): boolean => {
    const verdict = judgePattern(expression);
    return verdict.kind !== 'linear' && !('each' in verdict && (verdict.each ?? 0) <= MAX_EACH);
  };
  return expressions.filter(isSlow).map(({ source }) => source);
}

describe('expressions that meet what callers send take time in proportion to its length', () => {
  test('those of this package', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const all = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => expressionsOf(join(ROOT, 'src', file)));
    expect(all.length).toBeGreaterThan(80);
    expect(slowOnes(all).filter((source) => !NEVER_SEE_CALLERS.has(source) && source !== COUNTED)).toEqual(
      [],
    );
  });

  test('those of the formats of Ajv, except the one that is bounded', () => {
    const file = createRequire(import.meta.url).resolve('ajv-formats/dist/formats.js');
    const all = expressionsOf(file);
    expect(all.length).toBeGreaterThan(20);
    expect(slowOnes(all).map((source) => source.slice(0, 16))).toEqual([
      // `uri-reference`: linear, with at most 209 steps per character. The proof takes 500 ms, so the judge gives up before.
      '^(?:[a-z][a-z0-9',
      '^(?:https?|ftp):',
    ]);
  });
});
