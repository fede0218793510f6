import type { FitnessTool } from '../define-tool.ts';
import { calculateDailyNutrition } from './calculate-daily-nutrition.ts';
import { FOOD_TOOLS } from './food-tools.ts';
import { getNutrientTiming } from './get-nutrient-timing.ts';

export const NUTRITION_TOOLS: readonly FitnessTool[] = [
  calculateDailyNutrition,
  getNutrientTiming,
  ...FOOD_TOOLS,
];
