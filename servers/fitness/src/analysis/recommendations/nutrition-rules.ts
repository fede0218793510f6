import { nutrientTiming } from '../../algorithms/energy/nutrient-timing.ts';
import { workoutIntensity } from '../../algorithms/energy/workout-intensity.ts';
import type { Activity } from '../../providers/provider.ts';
import type { Advice } from './recommendation.ts';
import type { TrainingFacts } from './training-facts.ts';

const HOT_C = 25;
const LONG_MIN = 60;
const VERY_LONG_MIN = 150;
/** For endurance athletes, in g a day for each kg; the timing does not depend on it. */
const PROTEIN_G_PER_KG = 2;

/** Rules about carbohydrate, protein and fluid of one session. */
export function adviseNutrition({ activity, athlete }: TrainingFacts): readonly Advice[] {
  if (activity === undefined)
    return [
      { priority: 'low', recommendation: 'Nothing to change.', reason: 'There is no activity to fuel.' },
    ];
  const advice = [
    ...adviseTiming(activity, athlete.value('weight_kg')),
    adviseDuring(activity),
    adviseFluid(activity),
  ];
  return advice.filter((each) => each !== undefined);
}

function adviseTiming(activity: Activity, weight_kg: number | null): readonly Advice[] {
  if (weight_kg === null)
    return [
      {
        priority: 'medium',
        recommendation: 'Set your weight with set_fitness_config.',
        reason: 'Amounts of carbohydrate and protein depend on it.',
      },
    ];
  const { name, moving_time_s, average_heart_rate } = activity;
  const intensity = workoutIntensity(moving_time_s / 3600, average_heart_rate);
  if (!intensity.ok) return [];
  const timing = nutrientTiming({
    weight_kg,
    daily_protein_g: PROTEIN_G_PER_KG * weight_kg,
    intensity: intensity.value,
  });
  if (!timing.ok) return [];
  const { before, after } = timing.value;
  const heart = average_heart_rate === null ? '' : ` and ${Math.round(average_heart_rate)} bpm`;
  const reason = `A session of ${intensity.value} intensity, by ${Math.round(moving_time_s / 60)} minutes${heart}, at ${weight_kg} kg.`;
  return [
    {
      priority: intensity.value === 'high' ? 'medium' : 'low',
      recommendation: `After ${name}: ${Math.round(after.carbohydrate_g)} g of carbohydrate and ${Math.round(after.protein_g)} g of protein within ${after.within_hours} hours.`,
      reason,
    },
    {
      priority: 'low',
      recommendation: `Before a session like it: ${Math.round(before.carbohydrate_g)} g of carbohydrate ${before.hours_before.join(' to ')} hours earlier.`,
      reason,
    },
  ];
}

function adviseDuring({ moving_time_s }: Activity): Advice | undefined {
  const minutes = Math.round(moving_time_s / 60);
  if (minutes <= LONG_MIN) return undefined;
  const isVeryLong = minutes > VERY_LONG_MIN;
  return {
    priority: isVeryLong ? 'medium' : 'low',
    recommendation: isVeryLong
      ? 'During a session like it: up to 90 g of carbohydrate an hour.'
      : 'During a session like it: 30 to 60 g of carbohydrate an hour.',
    reason: `It took ${minutes} minutes: 30 to 60 g an hour help above ${LONG_MIN} minutes, up to 90 g above ${VERY_LONG_MIN} (ACSM 2016).`,
  };
}

function adviseFluid({ weather }: Activity): Advice | undefined {
  if (weather === null || weather.temperature_c < HOT_C) return undefined;
  return {
    priority: 'medium',
    recommendation: 'Drink 0.4 to 0.8 l an hour in this heat.',
    reason: `It was ${weather.temperature_c} °C (ACSM 2007).`,
  };
}
