import type { Food, Portion } from '../foods/food.ts';
import { toWords } from '../foods/food-words.ts';
import { roundTo } from '../foods/nutrition.ts';
import type { Ingredient } from './recipe.ts';
import { parsePortionVolume, VOLUME_UNITS, WEIGHT_UNITS } from './units.ts';

/** The weight of an ingredient and its reason, or the reason why it has none and the units that have. */
export type Conversion =
  | { readonly grams: number; readonly basis: string }
  | { readonly grams?: undefined; readonly problem: string; readonly choices: readonly string[] };

/** Portions that are a package, a weight or a yield, and not a piece of a food. */
const NO_PIECE =
  /^(oz|lb|serving|package|container|can|jar|bottle|cubic inch|box|bag|carton|packet|pouch|portion|recipe|bunch|envelope|unit|inch|dash|stick|strip|block|slice thin)\b|yield/;

/** Words of a portion that differ from the plain food: used only if the ingredient names them. */
const SPECIAL_STATES =
  /cooked|condensed|melted|whipped|prepared|popped|drained|pureed|mashed|crumbs|dry|frozen|thawed/;

const SIZES = ['extra large', 'extra small', 'jumbo', 'large', 'medium', 'small', 'mini'];

export function toGrams(food: Food, { name, amount, unit, preparation = '' }: Ingredient): Conversion {
  const hints = `${name} ${preparation}`.toLowerCase();
  if (unit in WEIGHT_UNITS) {
    const grams = WEIGHT_UNITS[unit as keyof typeof WEIGHT_UNITS];
    return { grams: amount * grams, basis: `1 ${unit} = ${roundTo(grams, 2)} g` };
  }
  const portion = unit === 'piece' ? findPiece(food, hints) : findVolume(food, unit, hints);
  if (portion === undefined)
    return {
      problem: `The food data have no weight of a ${unit} of "${food.name}".`,
      choices: ['g', ...food.portions.map(formatPortion)],
    };
  const volume = parsePortionVolume(portion.unit);
  const each = portion.grams / portion.amount;
  if (unit === 'piece' || volume === undefined)
    return { grams: amount * each, basis: formatPortion(portion) };
  const millilitres = VOLUME_UNITS[unit as keyof typeof VOLUME_UNITS];
  // The same unit needs no density, and keeps the exact weight of the portion.
  const grams = volume.unit === unit ? each : (each / volume.millilitres) * millilitres;
  return { grams: amount * grams, basis: formatPortion(portion) };
}

export function formatPortion({ amount, unit, grams }: Portion): string {
  return `${amount} ${unit} = ${grams} g`;
}

function findVolume({ portions }: Food, unit: string, hints: string): Portion | undefined {
  return findBest(portions, (portion) => {
    const volume = parsePortionVolume(portion.unit);
    if (volume === undefined) return undefined;
    const named = countShared(volume.state, hints);
    const special = named === 0 && SPECIAL_STATES.test(volume.state) ? -6 : 0;
    return 5 * named + (volume.state === '' ? 3 : 0) + (volume.unit === unit ? 2 : 0) + special;
  });
}

/** The named size or part, else a medium one. Recipes mean a large egg. */
function findPiece({ name, portions }: Food, hints: string): Portion | undefined {
  const size =
    SIZES.find((word) => hints.includes(word)) ?? (/^egg(,|$| white| yolk)/.test(name) ? 'large' : 'medium');
  const noun = name.split(', ')[0] ?? name;
  // The noun of the food says nothing about its piece: "tomato" is no "Italian tomato".
  const nounWords = new Set(toWords(noun));
  const named = toWords(hints)
    .filter((word) => !nounWords.has(word))
    .join(' ');
  return findBest(portions, (portion) => {
    if (parsePortionVolume(portion.unit) !== undefined || NO_PIECE.test(portion.unit)) return undefined;
    const unit = portion.unit.replace(/\(.*/, '');
    const own = SIZES.find((word) => unit.includes(word));
    const fits = own === size ? 6 : 0;
    const whole = /^(fruit|item|each|piece|whole)\b/.test(unit) ? 3 : 0;
    const fraction = /slice|wedge|ring|strip|half|\bpat\b|chip|serving/.test(unit) ? -4 : 0;
    return fits + whole + fraction + 4 * countShared(unit, noun) + 8 * countShared(withoutSizes(unit), named);
  });
}

function withoutSizes(unit: string): string {
  return SIZES.reduce((text, size) => text.replace(size, ''), unit);
}

function countShared(left: string, right: string): number {
  const words = new Set(toWords(right).filter((word) => word.length > 2));
  return toWords(left).filter((word) => words.has(word)).length;
}

/** The first portion with the highest score; undefined excludes a portion. */
function findBest(
  portions: readonly Portion[],
  rate: (portion: Portion) => number | undefined,
): Portion | undefined {
  let best: { readonly portion: Portion; readonly score: number } | undefined;
  for (const portion of portions) {
    const score = rate(portion);
    if (score !== undefined && (best === undefined || score > best.score)) best = { portion, score };
  }
  return best?.portion;
}
