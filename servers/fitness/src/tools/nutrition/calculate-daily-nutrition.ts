import * as z from 'zod';
import { harrisBenedict, mifflinStJeor } from '../../algorithms/energy/basal-metabolic-rate.ts';
import { ACTIVITY_LEVELS, dailyEnergy } from '../../algorithms/energy/daily-energy.ts';
import { macronutrients, TRAINING_GOALS } from '../../algorithms/energy/macronutrients.ts';
import { readConfiguration } from '../../configuration/user-configuration.ts';
import { roundTo } from '../../foods/nutrition.ts';
import { ofBody } from '../configuration/athlete-arguments.ts';
import { defineFitnessTool } from '../define-tool.ts';
import { getValue } from '../results/computed.ts';

const FORMULAS = { mifflin_st_jeor: mifflinStJeor, harris_benedict: harrisBenedict };

export const calculateDailyNutrition = defineFitnessTool({
  name: 'calculate_daily_nutrition',
  title: 'Nutrition of a day',
  description:
    'Computes resting energy (BMR), energy of a day (TDEE), and grams of protein, carbohydrate and fat for a body, an activity level and a goal.',
  synonyms: ['calories', 'macros', 'how much should I eat', 'lose weight', 'build muscle', 'diet'],
  effect: 'reads',
  arguments: {
    weight_kg: ofBody('weight_kg'),
    height_cm: ofBody('height_cm'),
    age: z.int().min(18).max(90).describe('years'),
    gender: z.enum(['male', 'female']),
    activity_level: z.enum(ACTIVITY_LEVELS),
    training_goal: z.enum(TRAINING_GOALS),
  },
  run: ({ input, context }) => {
    const { weight_kg, height_cm, age, gender, activity_level, training_goal } = input;
    const { bmr_formula } = readConfiguration(context.database, context.caller.id);
    const bmr = getValue(FORMULAS[bmr_formula]({ sex: gender, weight_kg, height_cm, age }));
    const tdee = getValue(dailyEnergy(bmr, activity_level));
    const { energy_kcal, ...grams } = getValue(
      macronutrients({ weight_kg, energy_kcal: tdee, activity_level, training_goal }),
    );
    const [day, macros] = [Math.round(tdee), Math.round(energy_kcal)];
    return {
      data: {
        bmr_kcal: Math.round(bmr),
        bmr_formula,
        tdee_kcal: day,
        protein_g: roundTo(grams.protein_g, 1),
        carbohydrate_g: roundTo(grams.carbohydrate_g, 1),
        fat_g: roundTo(grams.fat_g, 1),
        macros_kcal: macros,
      },
      notes:
        Math.abs(macros - day) <= 1
          ? []
          : [
              `Protein and carbohydrate by body weight, and fat within 20 to 35 % of the energy, give ${macros} kcal instead of ${day} kcal.`,
            ],
    };
  },
});
