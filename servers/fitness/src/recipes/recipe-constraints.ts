import { roundTo, toMacroGrams } from '../foods/nutrition.ts';
import type { EnergyShares } from '../foods/nutrition.ts';
import { RESTRICTIONS } from './diet/restriction.ts';
import type { Restriction } from './diet/restriction.ts';
import { MEAL_TARGETS, toTargetShares } from './meal-targets.ts';
import { MEAL_TIMINGS } from './recipe.ts';
import type { MealTiming } from './recipe.ts';
import { UNITS } from './units.ts';
import { checkChoice, checkRange, throwIssues } from './validate-draft.ts';

export interface ConstraintsInput {
  readonly meal_timing: MealTiming;
  readonly calories?: number | undefined;
  readonly tdee?: number | undefined;
  readonly dietary_restrictions?: readonly Restriction[] | undefined;
  readonly max_prep_time_mins?: number | undefined;
  readonly max_cook_time_mins?: number | undefined;
}

export interface RecipeConstraints {
  readonly meal_timing: MealTiming;
  /** Of one serving. */
  readonly calories: number;
  readonly calories_source: 'given' | 'tdee_share' | 'default';
  readonly macro_shares: EnergyShares;
  readonly macro_grams: ReturnType<typeof toMacroGrams>;
  readonly dietary_restrictions: readonly { readonly name: Restriction; readonly rule: string }[];
  readonly max_prep_time_mins: number | null;
  readonly max_cook_time_mins: number | null;
  readonly units: readonly string[];
  readonly notes: readonly string[];
}

const RULES: Readonly<Record<Restriction, string>> = {
  vegetarian: 'No meat, fish, seafood, animal fat, gelatin or stock of animals.',
  vegan: 'No meat, fish, milk, eggs, honey or other food of animals.',
  gluten_free: 'No wheat, barley, rye or food made of them; oats only if certified.',
  dairy_free: 'No milk or food made of it; eggs are allowed.',
  nut_free: 'No peanuts, nuts of trees or food made of them.',
  keto: 'At most 10 % of the energy from net carbohydrate (carbohydrate without fiber).',
  paleo: 'No grains, legumes, dairy, refined sugar or refined seed oils.',
};

/** The limits that a recipe for a meal should keep. */
export function getRecipeConstraints(input: ConstraintsInput): RecipeConstraints {
  const { meal_timing: timing, dietary_restrictions: restrictions = [] } = input;
  const minutes = { min: 1, max: 1440 };
  throwIssues([
    ...checkChoice('meal_timing', timing, MEAL_TIMINGS),
    ...checkRange('calories', input.calories, { min: 50, max: 5000 }),
    ...checkRange('tdee', input.tdee, { min: 800, max: 10_000 }),
    ...restrictions.flatMap((value, index) =>
      checkChoice(`dietary_restrictions[${index}]`, value, RESTRICTIONS),
    ),
    ...checkRange('max_prep_time_mins', input.max_prep_time_mins, minutes),
    ...checkRange('max_cook_time_mins', input.max_cook_time_mins, minutes),
  ]);
  const { kcal, source } = toEnergy(input);
  const shares = toTargetShares(timing, restrictions);
  return {
    meal_timing: timing,
    calories: kcal,
    calories_source: source,
    macro_shares: shares,
    macro_grams: toMacroGrams(kcal, shares),
    dietary_restrictions: [...new Set(restrictions)].map((name) => ({ name, rule: RULES[name] })),
    max_prep_time_mins: input.max_prep_time_mins ?? null,
    max_cook_time_mins: input.max_cook_time_mins ?? null,
    units: UNITS,
    notes: restrictions.includes('keto')
      ? ['Keto limits carbohydrate to 10 % of the energy, so fat replaces the carbohydrate of this meal.']
      : [],
  };
}

/** Calories as given, else a share of the day's energy, else the default of the meal. */
function toEnergy({ meal_timing: timing, calories, tdee }: ConstraintsInput): {
  kcal: number;
  source: RecipeConstraints['calories_source'];
} {
  if (calories !== undefined) return { kcal: calories, source: 'given' };
  const { tdee_percent: percent, default_kcal: kcal } = MEAL_TARGETS[timing];
  if (tdee !== undefined) return { kcal: roundTo((tdee * percent) / 100, 1), source: 'tdee_share' };
  return { kcal, source: 'default' };
}
