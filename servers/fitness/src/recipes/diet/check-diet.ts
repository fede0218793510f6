import type { FoodSummary, Nutrients } from '../../foods/food.ts';
import { roundTo } from '../../foods/nutrition.ts';
import { FOOD_RULES } from './food-rules.ts';
import type { FoodRule } from './food-rules.ts';
import type { DietFinding, Restriction } from './restriction.ts';

/** Net carbohydrate (carbohydrate without fiber) as a share of the energy, in percent. */
const KETO_MAX_PERCENT = 10;

export interface DietIngredient {
  readonly name: string;
  readonly food: FoodSummary;
  readonly nutrients: Nutrients;
}

export interface DietReport {
  readonly restriction: Restriction;
  /** `unclear` if nothing violates the restriction and some ingredient may. */
  readonly verdict: 'satisfied' | 'violated' | 'unclear';
  readonly reasons: readonly {
    readonly ingredient: string;
    readonly food: string;
    readonly verdict: DietFinding['verdict'];
    readonly reason: string;
  }[];
}

/** The first rule that a food breaks, or undefined. */
export function checkFood(
  food: FoodSummary,
  restriction: Exclude<Restriction, 'keto'>,
): DietFinding | undefined {
  const text = [food.name, food.aliases].filter(Boolean).join(', ').toLowerCase();
  const rule = FOOD_RULES[restriction].find((candidate) => applies(candidate, food.group, text));
  return rule === undefined ? undefined : { verdict: rule.verdict, reason: `${food.name} ${rule.reason}.` };
}

/** Checks the ingredients of a recipe. `complete` is false if some ingredients have no food, so nothing can be promised. */
export function checkDiet(
  restriction: Restriction,
  ingredients: readonly DietIngredient[],
  complete: boolean,
): DietReport {
  const reasons = restriction === 'keto' ? checkKeto(ingredients) : checkFoods(restriction, ingredients);
  if (reasons.some(({ verdict }) => verdict === 'violates'))
    return { restriction, verdict: 'violated', reasons };
  return { restriction, verdict: complete && reasons.length === 0 ? 'satisfied' : 'unclear', reasons };
}

function checkFoods(
  restriction: Exclude<Restriction, 'keto'>,
  ingredients: readonly DietIngredient[],
): DietReport['reasons'] {
  return ingredients.flatMap(({ name, food }) => {
    const finding = checkFood(food, restriction);
    return finding === undefined ? [] : [{ ingredient: name, food: food.name, ...finding }];
  });
}

/** Names the ingredients with the most net carbohydrate if the recipe has too much of it. */
function checkKeto(ingredients: readonly DietIngredient[]): DietReport['reasons'] {
  const rows = ingredients.map(({ name, food, nutrients }) => {
    const net = Math.max(0, (nutrients.carbohydrate_g ?? 0) - (nutrients.fiber_g ?? 0));
    const energy = 4 * net + 4 * (nutrients.protein_g ?? 0) + 9 * (nutrients.fat_g ?? 0);
    return { name, food: food.name, net, energy };
  });
  const energy = rows.reduce((sum, row) => sum + row.energy, 0);
  const net = rows.reduce((sum, row) => sum + row.net, 0);
  const percent = energy === 0 ? 0 : (400 * net) / energy;
  if (percent <= KETO_MAX_PERCENT) return [];
  const limit = `at most ${KETO_MAX_PERCENT} % of the energy may come from net carbohydrate, and the recipe has ${roundTo(percent, 1)} %`;
  return rows
    .toSorted((a, b) => b.net - a.net)
    .slice(0, 3)
    .filter((row) => row.net > 0)
    .map((row) => ({
      ingredient: row.name,
      food: row.food,
      verdict: 'violates' as const,
      reason: `${row.food} has ${roundTo(row.net, 1)} g of net carbohydrate: ${limit}.`,
    }));
}

function applies({ groups = [], words, except }: FoodRule, group: string, text: string): boolean {
  if (except?.test(text) === true) return false;
  return groups.includes(group) || words?.test(text) === true;
}
