import { NutritionError } from '../foods/nutrition-error.ts';
import type { NutritionIssue } from '../foods/nutrition-error.ts';
import { RESTRICTIONS } from './diet/restriction.ts';
import { MEAL_TIMINGS } from './recipe.ts';
import type { Ingredient, Recipe, RecipeDraft } from './recipe.ts';
import { UNITS } from './units.ts';

/** Bounds of recipes; both ends are included, except 0 servings and amounts of 0. */
export const RECIPE_LIMITS = {
  name: 200,
  text: 5000,
  tag: 50,
  servings: 1000,
  amount: 100_000,
  minutes: 10_080,
  ingredients: 100,
  steps: 100,
  tags: 20,
  target_kcal: { min: 50, max: 5000 },
} as const;

/** Throws one error with every invalid value of a recipe to validate. */
export function assertDraft(draft: RecipeDraft): void {
  throwIssues(findDraftIssues(draft));
}

/** Throws one error with every invalid value of a recipe to save. */
export function assertRecipe(recipe: Recipe): void {
  const { instructions, tags = [], description, prep_time_mins: prep, cook_time_mins: cook } = recipe;
  throwIssues([
    ...findDraftIssues(recipe),
    ...checkCount('instructions', instructions.length, { min: 1, max: RECIPE_LIMITS.steps }),
    ...instructions.flatMap((step, index) => checkText(`instructions[${index}]`, step, RECIPE_LIMITS.text)),
    ...checkCount('tags', tags.length, { min: 0, max: RECIPE_LIMITS.tags }),
    ...tags.flatMap((tag, index) => checkText(`tags[${index}]`, tag, RECIPE_LIMITS.tag)),
    ...(description === undefined ? [] : checkText('description', description, RECIPE_LIMITS.text)),
    ...checkRange('prep_time_mins', prep, { min: 0, max: RECIPE_LIMITS.minutes }),
    ...checkRange('cook_time_mins', cook, { min: 0, max: RECIPE_LIMITS.minutes }),
  ]);
}

export function throwIssues(issues: readonly NutritionIssue[]): void {
  if (issues.length > 0) throw new NutritionError('invalid_recipe', issues);
}

/** An optional number with bounds. NaN is out of every range. */
export function checkRange(
  path: string,
  value: number | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): NutritionIssue[] {
  if (value === undefined || (value >= min && value <= max)) return [];
  return [{ path, message: `Invalid value ${value}: use a number from ${min} to ${max}.` }];
}

export function checkChoice(
  path: string,
  value: string | undefined,
  choices: readonly string[],
): NutritionIssue[] {
  if (value === undefined || choices.includes(value)) return [];
  return [{ path, message: `Unknown value "${value}".`, choices }];
}

function findDraftIssues(draft: RecipeDraft): NutritionIssue[] {
  const { name, servings, ingredients, meal_timing: timing, dietary_restrictions: restrictions = [] } = draft;
  return [
    ...checkText('name', name, RECIPE_LIMITS.name),
    ...(servings > 0 && servings <= RECIPE_LIMITS.servings
      ? []
      : [
          {
            path: 'servings',
            message: `Invalid value ${servings}: use more than 0 and at most ${RECIPE_LIMITS.servings}.`,
          },
        ]),
    ...checkCount('ingredients', ingredients.length, { min: 1, max: RECIPE_LIMITS.ingredients }),
    ...ingredients.flatMap((ingredient, index) => findIngredientIssues(ingredient, `ingredients[${index}]`)),
    ...checkChoice('meal_timing', timing, MEAL_TIMINGS),
    ...checkRange('target_calories', draft.target_calories, RECIPE_LIMITS.target_kcal),
    ...restrictions.flatMap((value, index) =>
      checkChoice(`dietary_restrictions[${index}]`, value, RESTRICTIONS),
    ),
  ];
}

function findIngredientIssues(
  { name, amount, unit, preparation }: Ingredient,
  path: string,
): NutritionIssue[] {
  return [
    ...checkText(`${path}.name`, name, RECIPE_LIMITS.name),
    ...(amount > 0 && amount <= RECIPE_LIMITS.amount
      ? []
      : [
          {
            path: `${path}.amount`,
            message: `Invalid value ${amount}: use more than 0 and at most ${RECIPE_LIMITS.amount}.`,
          },
        ]),
    ...checkChoice(`${path}.unit`, unit, UNITS),
    ...(preparation === undefined ? [] : checkText(`${path}.preparation`, preparation, RECIPE_LIMITS.name)),
  ];
}

function checkText(path: string, value: string, max: number): NutritionIssue[] {
  if (value.trim() !== '' && value.length <= max) return [];
  return [
    {
      path,
      message: `Invalid text of ${value.length} characters: use 1 to ${max} characters, not all blank.`,
    },
  ];
}

function checkCount(
  path: string,
  count: number,
  { min, max }: { readonly min: number; readonly max: number },
): NutritionIssue[] {
  if (count >= min && count <= max) return [];
  return [{ path, message: `Invalid number of entries ${count}: give ${min} to ${max}.` }];
}
