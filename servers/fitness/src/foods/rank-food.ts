import type { FoodSummary } from './food.ts';

/** One word of a query, with a synonym if it has one. An optional word improves the rank and is not required. */
export interface QueryWord {
  readonly forms: readonly string[];
  readonly optional: boolean;
}

export interface Rank {
  readonly score: number;
  /** 0 to 1: the share of the query that the food names, and of the food's noun that the query names. */
  readonly confidence: number;
}

/** Words of a preparation that few callers mean unless they say so. */
const PROCESSED = new Set(
  'canned frozen dried dehydrated pickled imitation substitute powder powdered instant candied syrup juice mix flavor flavored sprouted fried sweetened reduced low light salted sandwich breaded condensed drink dressing topping spread concentrate neck back quail goose duck liver heart wing extract cream restaurant leaf flour bran chip cake baby meatless evaporated producer'.split(
    ' ',
  ),
);

/** Foods made of others stand behind the foods that they are made of. */
const COMPOSED: ReadonlyMap<string, number> = new Map([
  ['sweets', 2.5],
  ['snacks', 2.5],
  ['meals', 3],
  ['soups_sauces', 2],
  ['bread_baking', 1.5],
  ['cold_cuts', 1],
  ['drinks', 0.5],
]);

/** The state of the plain food; callers who name no state mean one of these. */
const PLAIN_STATE: ReadonlyMap<string, number> = new Map([
  ['raw', 1.5],
  ['uncooked', 1],
  ['dry', 0.5],
  ['cooked', 0.5],
  ['whole', 0.3],
  ['plain', 0.5],
]);

/** A food with the words of its name and aliases in index form; `|` separates the parts of the name. */
export interface IndexedFood extends FoodSummary {
  readonly name_words: string;
  readonly alias_words: string;
}

/** Callers who name no skin mean poultry without it. */
const SKINLESS_BONUS = 0.5;

interface Part {
  readonly words: readonly string[];
  readonly matched: Set<string>;
}

/** Ranks a food for a query: the plain food first, then its preparations, then what is made of it. */
export function rankFood(food: IndexedFood, query: readonly QueryWord[]): Rank {
  const parts: Part[] = food.name_words
    .split('|')
    .map((part) => ({ words: part.split(' '), matched: new Set() }));
  const aliases = food.alias_words.split(' ');
  let score = 0;
  let named = 0;
  for (const word of query) {
    const { points, certainty } = matchWord(word, parts, aliases);
    score += points;
    if (!word.optional) named += certainty;
  }
  const required = query.filter(({ optional }) => !optional).length;
  const [head, ...rest] = parts;
  const noun = head?.words.at(-1) ?? '';
  const coverage =
    head === undefined || head.words.length === 0 ? 0 : head.matched.size / new Set(head.words).size;
  const byAlias = query.every(
    ({ optional, forms }) => optional || forms.some((form) => aliases.includes(form)),
  );
  score += 8 * coverage + (coverage === 1 ? 4 : 0) + (head?.matched.has(noun) === true ? 3 : 0);
  for (const part of rest) score += rateUnmatched(part);
  if (head !== undefined)
    score -= 3 * head.words.filter((word) => PROCESSED.has(word) && !head.matched.has(word)).length;
  score -= COMPOSED.get(food.group) ?? 0;
  if (food.group === 'poultry' && food.name.endsWith('without skin')) score += SKINLESS_BONUS;
  const share = required === 0 ? 0 : named / required;
  return {
    score,
    confidence: Math.round(100 * share * (0.6 + 0.4 * Math.max(coverage, byAlias ? 1 : 0))) / 100,
  };
}

/** The best place of a word in a name. A word that only begins another one counts half. */
function matchWord(
  word: QueryWord,
  parts: readonly Part[],
  aliases: readonly string[],
): { points: number; certainty: number } {
  let best = { points: 0, certainty: 0 };
  const offer = (points: number, certainty: number): void => {
    if (points > best.points) best = { points, certainty };
  };
  for (const form of word.forms) {
    for (const [index, part] of parts.entries()) {
      const points = index === 0 ? 10 : 7 - Math.min(index, 4);
      for (const candidate of part.words) {
        if (candidate === form) {
          part.matched.add(candidate);
          offer(points, 1);
        } else if (candidate.startsWith(form)) offer(points / 2, 0.5);
      }
    }
    if (aliases.includes(form)) offer(6, 1);
    else if (aliases.some((alias) => alias.startsWith(form))) offer(3, 0.5);
  }
  return best;
}

function rateUnmatched({ words, matched }: Part): number {
  let rate = matched.size > 0 ? 0 : -1;
  for (const word of words) {
    if (matched.has(word)) continue;
    rate += PLAIN_STATE.get(word) ?? -0.2;
    if (PROCESSED.has(word)) rate -= 2;
  }
  return rate;
}
