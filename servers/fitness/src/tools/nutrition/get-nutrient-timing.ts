import * as z from 'zod';
import { nutrientTiming } from '../../algorithms/energy/nutrient-timing.ts';
import { WORKOUT_INTENSITIES, workoutIntensity } from '../../algorithms/energy/workout-intensity.ts';
import type { WorkoutIntensity } from '../../algorithms/energy/workout-intensity.ts';
import type { Activity } from '../../providers/provider.ts';
import type { ProviderName } from '../../providers/providers.ts';
import { roundTo } from '../../foods/nutrition.ts';
import type { FitnessContext } from '../../context.ts';
import { ofBody } from '../configuration/athlete-arguments.ts';
import { defineFitnessTool } from '../define-tool.ts';
import { getValue } from '../results/computed.ts';

const DAY_S = 86_400;

export const getNutrientTiming = defineFitnessTool({
  name: 'get_nutrient_timing',
  title: 'Nutrition around training',
  description:
    'Computes carbohydrate before training, and carbohydrate and protein after it. The intensity is given, or follows from the activities of the last days.',
  synonyms: [
    'eat before a workout',
    'eat after a workout',
    'fueling',
    'snack',
    'recovery shake',
    'when to eat',
  ],
  effect: 'reads',
  isOpenWorld: true,
  arguments: (provider) => ({
    weight_kg: ofBody('weight_kg'),
    daily_protein_g: z.number().min(20).max(500),
    workout_intensity: z.enum(WORKOUT_INTENSITIES).optional().describe('Or activity_provider'),
    activity_provider: provider('activities').describe('Instead of workout_intensity'),
    days_back: z.int().min(1).max(30).default(7),
  }),
  findIssues: ({ workout_intensity, activity_provider }) => {
    const message = 'give either workout_intensity or activity_provider';
    const isOne = (workout_intensity === undefined) !== (activity_provider === undefined);
    return isOne ? [] : [{ path: ['workout_intensity'], message }];
  },
  run: async ({ input, context }) => {
    const { weight_kg, daily_protein_g, workout_intensity, activity_provider, days_back } = input;
    const found =
      workout_intensity === undefined
        ? await findIntensity(context, activity_provider, days_back)
        : { intensity: workout_intensity, basis: { source: 'argument' }, notes: [] };
    const { before, after, protein_meals } = getValue(
      nutrientTiming({ weight_kg, daily_protein_g, intensity: found.intensity }),
    );
    return {
      data: {
        workout_intensity: found.intensity,
        intensity_basis: found.basis,
        before: { ...before, carbohydrate_g: roundTo(before.carbohydrate_g, 1) },
        after: {
          ...after,
          carbohydrate_g: roundTo(after.carbohydrate_g, 1),
          protein_g: roundTo(after.protein_g, 1),
        },
        protein_meals: { ...protein_meals, protein_per_meal_g: roundTo(protein_meals.protein_per_meal_g, 1) },
      },
      notes: found.notes,
    };
  },
});

interface FoundIntensity {
  readonly intensity: WorkoutIntensity;
  readonly basis: object;
  readonly notes: readonly string[];
}

/** High with more than 2 hours a day or 150 bpm, moderate with 1 to 2 hours or 130 to 150 bpm, else low. */
async function findIntensity(
  context: FitnessContext & { readonly signal?: AbortSignal },
  name: ProviderName | undefined,
  days: number,
): Promise<FoundIntensity> {
  const { sources, now, signal } = context;
  const source = await sources.choose({ name, ...(signal && { signal }) });
  const activities = await source.listActivities({ after: Math.floor(now() / 1000) - days * DAY_S });
  const seconds = activities.reduce((sum, { moving_time_s }) => sum + moving_time_s, 0);
  const [hours_per_day, average_heart_rate] = [seconds / 3600 / days, averageHeartRate(activities)];
  return {
    intensity: getValue(workoutIntensity(hours_per_day, average_heart_rate)),
    basis: {
      source: 'activities',
      activity_provider: source.provider,
      days,
      activities: activities.length,
      hours_per_day: roundTo(hours_per_day, 2),
      average_heart_rate: average_heart_rate === null ? null : roundTo(average_heart_rate, 1),
    },
    notes: [
      ...source.notes,
      ...(average_heart_rate === null ? ['No activity has a heart rate: the duration alone decides.'] : []),
    ],
  };
}

/** Weighted by moving time; null if no activity has one. */
function averageHeartRate(activities: readonly Activity[]): number | null {
  let [beats, seconds] = [0, 0];
  for (const { average_heart_rate: rate, moving_time_s } of activities) {
    if (rate === null) continue;
    beats += rate * moving_time_s;
    seconds += moving_time_s;
  }
  return seconds === 0 ? null : beats / seconds;
}
