import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Database, Value } from '../database/database.ts';
import { NUTRIENTS } from './food.ts';
import { toWords } from './food-words.ts';

/** The same place from `src/foods` and from `dist/foods`. */
const DATA_FILE = fileURLToPath(new URL('../../data/foods.tsv', import.meta.url));

/** Columns of the data file before the nutrients: id, group, name, aliases. */
const LEADING = 4;

/** Writes the foods of the data file into the database, unless the database has this version of the file already. */
export function loadFoods(database: Database, file = DATA_FILE): void {
  const text = readFileSync(file, 'utf8');
  const digest = createHash('sha256').update(text).digest('hex');
  const isLoaded = (): boolean =>
    database.first<{ digest: string }>('SELECT digest FROM food_source')?.digest === digest;
  if (isLoaded()) return;
  const [, ...lines] = text.trimEnd().split('\n');
  database.write(() => {
    // Another process may have loaded the file while this one waited for the lock.
    if (isLoaded()) return;
    for (const table of ['food_words', 'food_portions', 'foods', 'food_source'])
      database.run(`DELETE FROM ${table}`);
    for (const [index, line] of lines.entries()) insertFood(database, index + 1, line.split('\t'));
    database.insert('food_source', { digest });
  });
}

function insertFood(database: Database, id: number, fields: readonly string[]): void {
  const [fdcId = '', group = '', name = '', aliases = ''] = fields;
  const row: Record<string, Value> = {
    id,
    fdc_id: fdcId,
    food_group: group,
    name,
    aliases,
    name_words: name
      .split(', ')
      .map((part) => toWords(part).join(' '))
      .join('|'),
    alias_words: toWords(aliases).join(' '),
  };
  for (const [index, nutrient] of NUTRIENTS.entries()) row[nutrient] = toValue(fields[LEADING + index]);
  database.insert('foods', row);
  database.run(
    'INSERT INTO food_words (rowid, words) VALUES (?, ?)',
    id,
    toWords(`${name} ${aliases}`).join(' '),
  );
  const portions = fields[LEADING + NUTRIENTS.length] ?? '';
  for (const [position, portion] of portions.split('|').entries()) {
    const [, amount, unit = '', grams] = /^(\S+) (.*)=([^=]+)$/.exec(portion) ?? [];
    database.insert('food_portions', {
      food_id: id,
      position,
      amount: Number(amount),
      unit,
      grams: Number(grams),
    });
  }
}

function toValue(field: string | undefined): number | null {
  return field === undefined || field === '' ? null : Number(field);
}
