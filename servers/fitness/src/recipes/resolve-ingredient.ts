import type { Food, Nutrients } from '../foods/food.ts';
import type { Foods } from '../foods/foods.ts';
import { MAX_GRAMS } from '../foods/meal-nutrition.ts';
import { roundTo, scaleNutrients } from '../foods/nutrition.ts';
import type { RankedFood } from '../foods/search-foods.ts';
import { NutritionError } from '../foods/nutrition-error.ts';
import type { Ingredient } from './recipe.ts';
import { toGrams } from './to-grams.ts';

/** An ingredient with its food and its weight. Nutrients are those of the whole amount, not rounded. */
export interface ResolvedIngredient {
  readonly ingredient: Ingredient;
  readonly food: Food;
  /** 1 for an id or an exact name; below 0.9 the match should be read. */
  readonly confidence: number;
  readonly alternatives: readonly string[];
  readonly grams: number;
  /** The weight of one unit, as it was found: `1 cup, chopped = 91 g`. */
  readonly basis: string;
  readonly nutrients: Nutrients;
}

/** An ingredient that has no food or no weight; it counts in no sum. */
export interface UnresolvedIngredient {
  readonly path: string;
  readonly name: string;
  readonly problem: string;
  readonly choices: readonly string[];
}

export type Resolution =
  | { readonly resolved: ResolvedIngredient }
  | { readonly resolved?: undefined; readonly unresolved: UnresolvedIngredient };

/** A match below this confidence is not used. */
const MIN_CONFIDENCE = 0.7;
const SURE = 0.9;
const MAX_CHOICES = 5;

/** Words of a shopping list that are not part of a food's name. */
const FILLER =
  /\b(fresh|freshly|organic|extra|large|small|medium|jumbo|baby|ripe|whole(?= (?:egg|almond|walnut|chicken|tomato|carrot))|chopped|diced|sliced|minced|grated|shredded|crushed|cubed|halved|peeled|pieces?|of|finely|roughly|boneless|skinless|cloves?|slices?|fillets?|florets?|stalks?|sprigs?|heads?|lean)\b/g;

interface Match {
  readonly food: Food;
  readonly confidence: number;
  readonly alternatives: readonly string[];
}

/** Finds the food of an ingredient and its weight. `pinned` is the food that was found when the recipe was saved. */
export function resolveIngredient(
  foods: Foods,
  ingredient: Ingredient,
  { path, pinned }: { readonly path: string; readonly pinned?: string | undefined },
): Resolution {
  const unresolved = (problem: string, choices: readonly string[]): Resolution => ({
    unresolved: { path, name: ingredient.name, problem, choices },
  });
  const match = matchFood(foods, ingredient, pinned);
  if (match.food === undefined) return unresolved(match.problem, match.choices);
  const { food, confidence, alternatives } = match;
  const conversion = toGrams(food, ingredient);
  if (conversion.grams === undefined) return unresolved(conversion.problem, conversion.choices);
  const { grams, basis } = conversion;
  if (grams > MAX_GRAMS)
    return unresolved(`The amount weighs ${roundTo(grams, 0)} g: use at most ${MAX_GRAMS} g.`, []);
  const nutrients = scaleNutrients(food.nutrients_per_100g, grams / 100);
  return { resolved: { ingredient, food, confidence, alternatives, grams, basis, nutrients } };
}

function matchFood(
  foods: Foods,
  { name, preparation }: Ingredient,
  pinned: string | undefined,
): Match | { readonly food?: undefined; readonly problem: string; readonly choices: readonly string[] } {
  const known = pinned === undefined ? undefined : foods.find(pinned);
  const id = /^\d{5}$/.test(name.trim()) ? name.trim() : undefined;
  const exact = known ?? (id === undefined ? undefined : foods.find(id));
  if (exact !== undefined) return { food: exact, confidence: 1, alternatives: [] };
  const format = (food: { readonly fdc_id: string; readonly name: string }): string =>
    `${food.fdc_id} ${food.name}`;
  if (id !== undefined) return { problem: `Unknown food "${id}".`, choices: foods.suggest(id).map(format) };
  const ranked = rankByName(foods, name, preparation);
  const [best, ...others] = ranked;
  if (best === undefined || best.confidence < MIN_CONFIDENCE)
    return {
      problem: `No food matches "${name}" well enough: use the name or the id of a food.`,
      choices: ranked.slice(0, MAX_CHOICES).map(({ food }) => format(food)),
    };
  const alternatives = best.confidence < SURE ? others.slice(0, 3).map(({ food }) => format(food)) : [];
  return { food: foods.get(best.food.fdc_id), confidence: best.confidence, alternatives };
}

/** Ranks by the whole name, and by the name without words of a shopping list if that fits better: "2 large eggs, chopped". */
function rankByName(foods: Foods, name: string, preparation = ''): readonly RankedFood[] {
  // The cut does not decide which food it is: frozen chopped onions are not meant by chopped onions.
  const hints = preparation.toLowerCase().replaceAll(FILLER, ' ');
  const whole = rank(foods, name, hints);
  const plain = name.toLowerCase().replaceAll(FILLER, ' ').trim();
  if (plain === '' || (whole[0]?.confidence ?? 0) >= SURE) return whole;
  const reduced = rank(foods, plain, hints);
  return (reduced[0]?.confidence ?? 0) > (whole[0]?.confidence ?? 0) ? reduced : whole;
}

function rank(foods: Foods, name: string, hints: string): readonly RankedFood[] {
  try {
    return foods.rank(name, { hints });
  } catch (error) {
    // A name without a word matches no food.
    if (error instanceof NutritionError) return [];
    throw error;
  }
}
