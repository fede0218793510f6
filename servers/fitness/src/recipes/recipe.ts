import type { Restriction } from './diet/restriction.ts';
import type { Unit } from './units.ts';

export const MEAL_TIMINGS = ['pre_training', 'post_training', 'rest_day', 'general'] as const;

export type MealTiming = (typeof MEAL_TIMINGS)[number];

export interface Ingredient {
  /** The name of a food, or its five-digit id. */
  readonly name: string;
  readonly amount: number;
  readonly unit: Unit;
  readonly preparation?: string | undefined;
}

/** A recipe to validate. */
export interface RecipeDraft {
  readonly name: string;
  readonly servings: number;
  readonly ingredients: readonly Ingredient[];
  readonly meal_timing?: MealTiming | undefined;
  /** Of one serving. */
  readonly target_calories?: number | undefined;
  readonly dietary_restrictions?: readonly Restriction[] | undefined;
}

/** A recipe to save. */
export interface Recipe extends RecipeDraft {
  readonly instructions: readonly string[];
  readonly description?: string | undefined;
  readonly prep_time_mins?: number | undefined;
  readonly cook_time_mins?: number | undefined;
  readonly tags?: readonly string[] | undefined;
}
