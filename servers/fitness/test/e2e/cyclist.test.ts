import { expect, test } from 'vitest';
import { startStack } from '../support/stack.ts';
import { expectGolden, Transcript } from '../support/transcript.ts';

const toon = { format: 'toon' };
const SHORT_NIGHT = { duration_hours: 5.2, efficiency_percent: 78, awakenings: 4, hrv_rmssd_ms: 38 };

/** Body, zones and rides. */
async function setUp(session: Transcript): Promise<void> {
  await session.call('get_athlete');
  await session.call('get_activities', { sport_type: 'ride', limit: 3, ...toon });
  await session.call('set_fitness_config', {
    configuration: { ftp: 245, lthr: 170, max_hr: 186, resting_hr: 46, weight_kg: 63 },
  });
  await session.call('update_user_configuration', { profile: 'elite', ...toon });
  await session.call('calculate_personalized_zones', { vo2_max: 54, resting_hr: 46, max_hr: 186, ...toon });
  await session.call('get_fitness_config');
}

/** The night, the state of today, and what it would be after a short night. */
async function checkRecovery(session: Transcript): Promise<void> {
  await session.call('analyze_sleep_quality');
  await session.call('track_sleep_trends', { days: 10, ...toon });
  await session.call('calculate_recovery_score', toon);
  await session.call('suggest_rest_day', toon);
  await session.call('suggest_rest_day', { sleep_data: SHORT_NIGHT, baseline_hrv: 52, ...toon });
  await session.call('optimize_sleep_schedule', {
    upcoming_workout_intensity: 'high',
    typical_wake_time: '05:45',
  });
}

/** Energy of the day, food around the ride, and breakfast as a recipe. */
async function eat(session: Transcript): Promise<void> {
  await session.call('calculate_daily_nutrition', {
    weight_kg: 63,
    height_cm: 171,
    age: 38,
    gender: 'female',
    activity_level: 'very_active',
    training_goal: 'endurance_performance',
  });
  await session.call('get_nutrient_timing', {
    weight_kg: 63,
    daily_protein_g: 126,
    activity_provider: 'synthetic',
  });
  await session.call('get_recipe_constraints', {
    meal_timing: 'pre_training',
    tdee: 2300,
    dietary_restrictions: ['vegetarian'],
    max_prep_time_mins: 15,
  });
  await session.call('search_food', { query: 'rolled oats', page_size: 3, ...toon });
  const draft = {
    name: 'Ride porridge',
    servings: 1,
    meal_timing: 'pre_training',
    dietary_restrictions: ['vegetarian'],
    target_calories: 400,
    ingredients: [
      { name: 'rolled oats', amount: 50, unit: 'g' },
      { name: 'skim milk', amount: 1, unit: 'cup' },
      { name: 'banana', amount: 1, unit: 'piece', preparation: 'sliced' },
      { name: 'almonds', amount: 1, unit: 'tbsp', preparation: 'ground' },
    ],
  };
  await session.call('validate_recipe', { ...draft, ...toon });
  const saved = JSON.parse(
    await session.call('save_recipe', {
      ...draft,
      instructions: ['Simmer the oats in the milk for five minutes.', 'Add the banana and the almonds.'],
      tags: ['breakfast', 'ride'],
      cook_time_mins: 5,
    }),
  ) as { readonly recipe_id: string };
  await session.call('search_recipes', { query: 'porridge', ...toon });
  await session.call('delete_recipe', { recipe_id: saved.recipe_id });
  await session.call('get_recipe', { recipe_id: saved.recipe_id });
}

test('a day of a cyclist in one session', { timeout: 60_000 }, async () => {
  const stack = await startStack();
  const client = await stack.connect({ caller: 'enterprise', version: 'v1', transport: 'http' });
  const session = new Transcript(client);
  await setUp(session);
  await checkRecovery(session);
  await eat(session);
  // Mistakes: the paths of nested values, and an unknown food with similar ones.
  await session.call('set_fitness_config', {
    configuration: { ftp: 2450, heart_rate_zones: { zone1: { min: 90 } } },
  });
  await session.call('analyze_meal_nutrition', {
    foods: [
      { fdc_id: 9041, grams: 60 },
      { fdc_id: '99999', grams: 10 },
    ],
  });
  expect(session.count).toBeGreaterThanOrEqual(20);
  expectGolden(session.toString(), new URL('cyclist.golden.txt', import.meta.url));
  await stack.close();
});
