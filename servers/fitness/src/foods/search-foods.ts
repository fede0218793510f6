import type { Database } from '../database/database.ts';
import type { FoodSummary } from './food.ts';
import { toWords } from './food-words.ts';
import { NutritionError } from './nutrition-error.ts';
import { rankFood } from './rank-food.ts';
import type { IndexedFood, QueryWord, Rank } from './rank-food.ts';
import { STAPLES } from './staples.ts';
import { COMPOUNDS, SYNONYMS } from './synonyms.ts';

export interface RankedFood extends Rank {
  readonly food: FoodSummary;
}

export interface SearchOptions {
  /** Words that improve the rank and are not required: a preparation, for example. */
  readonly hints?: string;
}

/** Words that carry no meaning in the name of a food. */
const IGNORED = new Set(['a', 'an', 'and', 'in', 'of', 'or', 'the', 'with', 'for', 'to']);
const MAX_WORDS = 12;

/** The bonus of a staple if the caller gives hints: "chicken breast" is raw, unless a hint says roasted. */
const STAPLE_BONUS = 3;

/** Each of these words is the state of a cooked food in one name or another. */
const COOKED = ['cooked', 'boiled', 'roasted', 'baked', 'grilled', 'broiled', 'stewed', 'steamed', 'braised'];

/** All foods that match a query, the best first. Without a food that has all words, foods with some of them. */
export function searchFoods(
  database: Database,
  query: string,
  { hints = '' }: SearchOptions = {},
): { ranked: readonly RankedFood[]; allWords: boolean } {
  const required = toQuery(query, false);
  if (required.length === 0)
    throw new NutritionError('invalid_input', [
      { path: 'query', message: `Invalid query "${query}": use at least one word of a food's name.` },
    ]);
  const optional = toQuery(hints, true);
  const words = [...required, ...optional];
  const staple = findStaple(required);
  const clauses = required.map(({ forms }) => `(${forms.map((form) => `"${form}"*`).join(' OR ')})`);
  const found = findFoods(database, clauses.join(' AND '));
  const rows = found.length > 0 ? found : findFoods(database, clauses.join(' OR '));
  const isStaple = ({ fdc_id }: FoodSummary): boolean => fdc_id === staple;
  // The words of a staple may be missing in its name.
  if (staple !== undefined && !rows.some(isStaple))
    rows.push(...selectFoods(database, 'f.fdc_id = ?', staple));
  const bonus = optional.length > 0 ? STAPLE_BONUS : Number.MAX_SAFE_INTEGER;
  const ranked = rows.map((food) => {
    const { score, confidence } = rankFood(food, words);
    return isStaple(food) ? { food, score: score + bonus, confidence: 1 } : { food, score, confidence };
  });
  return {
    ranked: ranked.sort((a, b) => b.score - a.score || a.food.fdc_id.localeCompare(b.food.fdc_id)),
    allWords: found.length > 0,
  };
}

function findFoods(database: Database, match: string): IndexedFood[] {
  return selectFoods(database, 'f.id IN (SELECT rowid FROM food_words WHERE food_words MATCH ?)', match);
}

function selectFoods(database: Database, condition: string, value: string): IndexedFood[] {
  const columns = 'f.fdc_id, f.name, f.food_group AS "group", f.aliases, f.name_words, f.alias_words';
  return database.all<IndexedFood>(`SELECT ${columns} FROM foods f WHERE ${condition}`, value);
}

/** Whether a query has a word to search for. */
export function hasFoodWords(query: string): boolean {
  return toQuery(query, false).length > 0;
}

function toQuery(text: string, optional: boolean): QueryWord[] {
  let plain = text.toLowerCase();
  for (const [pattern, word] of COMPOUNDS) plain = plain.replaceAll(pattern, word);
  const words = new Set(toWords(plain).filter((word) => !IGNORED.has(word)));
  return [...words].slice(0, MAX_WORDS).map((word) => {
    const synonym = SYNONYMS.get(word);
    const forms = synonym === undefined ? [word] : [word, synonym];
    return { forms: optional && word === 'cooked' ? COOKED : forms, optional };
  });
}

/** The staple of the words as given, else of their synonyms. */
function findStaple(words: readonly QueryWord[]): string | undefined {
  const toKey = (position: number): string =>
    words
      .map(({ forms }) => forms.at(position) ?? '')
      .toSorted((one, other) => (one < other ? -1 : 1))
      .join(' ');
  return STAPLES.get(toKey(0)) ?? STAPLES.get(toKey(-1));
}
