import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../fixtures/patterns');

/** A pattern that takes very long on some strings, and its source. */
export interface EvilPattern {
  readonly pattern: string;
  readonly flags: string;
  readonly from: string;
}

export const evilPatterns: readonly EvilPattern[] = JSON.parse(
  readFileSync(join(FOLDER, 'evil.json'), 'utf8'),
) as EvilPattern[];

/** Patterns of published API descriptions, and common ones. */
export const innocentPatterns: readonly string[] = JSON.parse(
  readFileSync(join(FOLDER, 'innocent.json'), 'utf8'),
) as string[];
