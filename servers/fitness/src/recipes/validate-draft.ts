import { NutritionError } from '../foods/nutrition-error.ts';
import type { NutritionIssue } from '../foods/nutrition-error.ts';
import { RESTRICTIONS } from './diet/restriction.ts';
import { MEAL_TIMINGS } from './recipe.ts';
import type { Ingredient, Recipe, RecipeDraft } from './recipe.ts';
import { UNITS } from './units.ts';

const MAX_NAME = 200;
const MAX_TEXT = 5000;
const MAX_SERVINGS = 1000;
const MAX_AMOUNT = 100_000;
const MAX_MINUTES = 10_080;
const MAX_INGREDIENTS = 100;
const MAX_STEPS = 100;
const MAX_TAGS = 20;
const KCAL = { min: 50, max: 5000 };

/** Throws one error with every invalid value of a recipe to validate. */
export function assertDraft(draft: RecipeDraft): void {
  throwIssues(findDraftIssues(draft));
}

/** Throws one error with every invalid value of a recipe to save. */
export function assertRecipe(recipe: Recipe): void {
  const { instructions, tags = [], description, prep_time_mins: prep, cook_time_mins: cook } = recipe;
  throwIssues([
    ...findDraftIssues(recipe),
    ...checkCount('instructions', instructions.length, { min: 1, max: MAX_STEPS }),
    ...instructions.flatMap((step, index) => checkText(`instructions[${index}]`, step, MAX_TEXT)),
    ...checkCount('tags', tags.length, { min: 0, max: MAX_TAGS }),
    ...tags.flatMap((tag, index) => checkText(`tags[${index}]`, tag, 50)),
    ...(description === undefined ? [] : checkText('description', description, MAX_TEXT)),
    ...checkRange('prep_time_mins', prep, { min: 0, max: MAX_MINUTES }),
    ...checkRange('cook_time_mins', cook, { min: 0, max: MAX_MINUTES }),
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
    ...checkText('name', name, MAX_NAME),
    ...(servings > 0 && servings <= MAX_SERVINGS
      ? []
      : [
          {
            path: 'servings',
            message: `Invalid value ${servings}: use more than 0 and at most ${MAX_SERVINGS}.`,
          },
        ]),
    ...checkCount('ingredients', ingredients.length, { min: 1, max: MAX_INGREDIENTS }),
    ...ingredients.flatMap((ingredient, index) => findIngredientIssues(ingredient, `ingredients[${index}]`)),
    ...checkChoice('meal_timing', timing, MEAL_TIMINGS),
    ...checkRange('target_calories', draft.target_calories, KCAL),
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
    ...checkText(`${path}.name`, name, MAX_NAME),
    ...(amount > 0 && amount <= MAX_AMOUNT
      ? []
      : [
          {
            path: `${path}.amount`,
            message: `Invalid value ${amount}: use more than 0 and at most ${MAX_AMOUNT}.`,
          },
        ]),
    ...checkChoice(`${path}.unit`, unit, UNITS),
    ...(preparation === undefined ? [] : checkText(`${path}.preparation`, preparation, MAX_NAME)),
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
