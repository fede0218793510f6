import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { callJson, callTool } from '../support/clients.ts';
import { CONNECTIONS, findArgument, findIssuePaths } from '../support/connections.ts';
import type { InvalidCall } from '../support/connections.ts';
import { NOW, startStack } from '../support/stack.ts';

const stack = await startStack();
afterAll(() => stack.close());

const BODY = {
  weight_kg: 70,
  height_cm: 175,
  age: 30,
  gender: 'male',
  activity_level: 'very_active',
  training_goal: 'endurance_performance',
};
const TIMING = { weight_kg: 70, daily_protein_g: 140 };

const INVALID: readonly InvalidCall[] = [
  ['search_food', { query: ' !? ' }, ['query']],
  [
    'calculate_daily_nutrition',
    {},
    ['weight_kg', 'height_cm', 'age', 'gender', 'activity_level', 'training_goal'],
  ],
  ['calculate_daily_nutrition', { ...BODY, weight_kg: 24, height_cm: 251 }, ['weight_kg', 'height_cm']],
  ['calculate_daily_nutrition', { ...BODY, age: 30.5 }, ['age']],
  ['calculate_daily_nutrition', { ...BODY, age: 17, gender: 'm' }, ['age', 'gender']],
  ['calculate_daily_nutrition', { ...BODY, activity_level: 'lazy' }, ['activity_level']],
  ['calculate_daily_nutrition', { ...BODY, training_goal: null }, ['training_goal']],
  ['get_nutrient_timing', TIMING, ['workout_intensity']],
  [
    'get_nutrient_timing',
    { ...TIMING, workout_intensity: 'low', activity_provider: 'synthetic' },
    ['workout_intensity'],
  ],
  ['get_nutrient_timing', { ...TIMING, workout_intensity: 'extreme' }, ['workout_intensity']],
  ['get_nutrient_timing', { ...TIMING, activity_provider: 'garmin' }, ['activity_provider']],
  ['get_nutrient_timing', { ...TIMING, activity_provider: 'synthetic', days_back: 31 }, ['days_back']],
  ['get_nutrient_timing', { ...TIMING, workout_intensity: 'low', daily_protein_g: 19 }, ['daily_protein_g']],
  ['search_food', {}, ['query']],
  ['search_food', { query: '' }, ['query']],
  ['search_food', { query: 'rice', page_size: 201 }, ['page_size']],
  ['search_food', { query: 'rice', page_size: 0, page_number: 0 }, ['page_size', 'page_number']],
  ['search_food', { query: 'rice', format: 'yaml' }, ['format']],
  ['get_food_details', { fdc_id: 'banana' }, ['fdc_id']],
  ['get_food_details', { fdc_id: 100_000 }, ['fdc_id']],
  ['get_food_details', { fdc_id: 9040.5 }, ['fdc_id']],
  ['analyze_meal_nutrition', { foods: [] }, ['foods']],
  ['analyze_meal_nutrition', { foods: { fdc_id: '09040', grams: 1 } }, ['foods']],
  [
    'analyze_meal_nutrition',
    { foods: [{ fdc_id: '09040', grams: 0 }, { fdc_id: 'x', grams: 5 }, { grams: 5 }] },
    ['foods.0.grams', 'foods.1.fdc_id', 'foods.2.fdc_id'],
  ],
  [
    'analyze_meal_nutrition',
    { foods: [{ fdc_id: '09040', grams: 100, energy_kcal: 1 }] },
    ['foods.0.energy_kcal'],
  ],
];

describe.each(CONNECTIONS)('client $version over $transport', (connection) => {
  const connect = () => stack.connect({ ...connection, caller: 'enterprise' });

  // BMR 10 · 70 + 6.25 · 175 − 5 · 30 + 5 = 1648.75; · 1.725 = 2844.1; 2.0 and 10 g/kg; fat 20 % of 2844.1 / 9.
  test('nutrition of a day for an endurance athlete', async () => {
    expect(await callJson(await connect(), 'calculate_daily_nutrition', BODY)).toEqual({
      bmr_kcal: 1649,
      bmr_formula: 'mifflin_st_jeor',
      tdee_kcal: 2844,
      protein_g: 140,
      carbohydrate_g: 700,
      fat_g: 63.2,
      macros_kcal: 3929,
      notes: [
        'Protein and carbohydrate by body weight, and fat within 20 to 35 % of the energy, give 3929 kcal instead of 2844 kcal.',
      ],
    });
  });

  // 1.0 g/kg before, 1.2 g/kg after, 0.3 g/kg of protein, 140 / 4.
  test('nutrition around a hard workout', async () => {
    const timing = await callJson(await connect(), 'get_nutrient_timing', {
      ...TIMING,
      workout_intensity: 'high',
    });
    expect(timing).toEqual({
      workout_intensity: 'high',
      intensity_basis: { source: 'argument' },
      before: { carbohydrate_g: 70, hours_before: [1, 3] },
      after: { carbohydrate_g: 84, protein_g: 21, within_hours: 2 },
      protein_meals: { meals: 4, protein_per_meal_g: 35 },
    });
  });

  // SR28 per 100 g: bananas 89 kcal, 1.09, 22.84 and 0.33 g; whole milk 61 kcal, 3.15, 4.8 and 3.25 g.
  test('foods are found, read and summed up to a meal', async () => {
    const client = await connect();
    const banana = {
      fdc_id: '09040',
      name: 'bananas, raw',
      group: 'fruit',
      energy_kcal: 89,
      protein_g: 1.09,
      carbohydrate_g: 22.84,
      fat_g: 0.33,
    };
    const found = await callJson<{ foods: object[] }>(client, 'search_food', {
      query: 'banana',
      page_size: 1,
    });
    expect(found).toEqual({
      query: 'banana',
      all_words: true,
      total: 16,
      page_number: 1,
      page_size: 1,
      total_pages: 16,
      foods: [banana],
    });
    expect(await callJson(client, 'get_food_details', { fdc_id: '09040' })).toMatchObject({
      fdc_id: '09040',
      nutrients_per_100g: { energy_kcal: 89, potassium_mg: 358, vitamin_c_mg: 8.7 },
      source: 'USDA National Nutrient Database for Standard Reference, release 28 (public domain)',
    });
    const meal = await callJson<{ foods: object[] }>(client, 'analyze_meal_nutrition', {
      foods: [
        { fdc_id: '09040', grams: 118 },
        { fdc_id: 1077, grams: 250 },
      ],
    });
    // 105.02 + 152.5 kcal; 1.2862 + 7.875, 26.9512 + 12, 0.3894 + 8.125 g.
    expect(meal).toMatchObject({
      total_grams: 368,
      totals: { energy_kcal: 257.52, protein_g: 9.16, carbohydrate_g: 38.95, fat_g: 8.51 },
      incomplete: [],
    });
    expect(meal.foods[1]).toMatchObject({ fdc_id: '01077', grams: 250, energy_kcal: 152.5, fat_g: 8.13 });
  });

  test.each(INVALID)('%s %j is -32602 with the path of each invalid value', async (tool, args, paths) => {
    const client = await connect();
    expect(await findIssuePaths(callTool(client, tool, { ...args }))).toEqual(paths);
  });
});

// 10 · 90 + 6.25 · 180 − 5 · 40 + 5 = 1830; · 1.375 = 2516.25; 1.8 and 3 g/kg; (2516.25 − 648 − 1080) / 9 = 87.6.
test('without a bound of fat, protein, carbohydrate and fat have the energy of the day', async () => {
  const client = await stack.connect();
  const body = { weight_kg: 90, height_cm: 180, age: 40, gender: 'male' };
  const choice = { activity_level: 'lightly_active', training_goal: 'weight_loss' };
  expect(await callJson(client, 'calculate_daily_nutrition', { ...body, ...choice })).toEqual({
    bmr_kcal: 1830,
    bmr_formula: 'mifflin_st_jeor',
    tdee_kcal: 2516,
    protein_g: 162,
    carbohydrate_g: 270,
    fat_g: 87.6,
    macros_kcal: 2516,
  });
});

// 88.362 + 13.397 · 70 + 4.799 · 175 − 5.677 · 30 = 1695.667.
test('the formula of resting energy is a parameter of the caller', async () => {
  const client = await stack.connect();
  await callJson(client, 'update_user_configuration', { parameters: { bmr_formula: 'harris_benedict' } });
  expect(await callJson(client, 'calculate_daily_nutrition', BODY)).toMatchObject({
    bmr_kcal: 1696,
    bmr_formula: 'harris_benedict',
  });
  const anonymous = await stack.connect({ caller: 'anonymous' });
  expect(await callJson(anonymous, 'calculate_daily_nutrition', BODY)).toMatchObject({ bmr_kcal: 1649 });
});

test('an age that the formula was not made for is refused with the reason', async () => {
  const client = await stack.connect({ caller: 'anonymous' });
  expect(await callTool(client, 'calculate_daily_nutrition', { ...BODY, age: 85 })).toMatchObject({
    isError: true,
    text: 'Age is 85 years: expected 19 to 78 years.',
  });
});

test('the intensity follows from the activities of the last days, and the provider is in the result', async () => {
  const client = await stack.connect({ caller: 'professional' });
  const args = { ...TIMING, activity_provider: 'synthetic', days_back: 7 };
  const timing = await callJson<{ intensity_basis: Record<string, number> }>(
    client,
    'get_nutrient_timing',
    args,
  );
  const after = NOW / 1000 - 7 * 86_400;
  const { activities } = await callJson<{ activities: { moving_time_s: number }[] }>(
    client,
    'get_activities',
    { after },
  );
  const hours = activities.reduce((sum, { moving_time_s }) => sum + moving_time_s, 0) / 3600 / 7;
  expect(hours).toBeGreaterThan(1);
  expect(hours).toBeLessThan(2);
  expect(timing).toMatchObject({
    workout_intensity: 'moderate',
    intensity_basis: {
      source: 'activities',
      activity_provider: 'synthetic',
      days: 7,
      activities: activities.length,
    },
    before: { carbohydrate_g: 52.5 },
    after: { carbohydrate_g: 70, protein_g: 21 },
    notes: ['These are generated data of the demonstration athlete.'],
  });
  expect(timing.intensity_basis['hours_per_day']).toBeCloseTo(hours, 2);
});

test('without heart rates the duration alone decides, and the result says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fitness-nutrition-'));
  writeFileSync(
    join(folder, 'lap.gpx'),
    `<gpx><trk><name>Lap</name><type>running</type><trkseg>
      <trkpt lat="48" lon="7.8"><time>2026-11-15T08:00:00Z</time></trkpt>
      <trkpt lat="48.001" lon="7.8"><time>2026-11-15T08:00:30Z</time></trkpt>
    </trkseg></trk></gpx>`,
  );
  const own = await startStack({ environment: { FITNESS_FILES: folder, FITNESS_USER: 'professional' } });
  const args = { ...TIMING, activity_provider: 'files' };
  expect(
    await callJson(await own.connect({ caller: 'professional' }), 'get_nutrient_timing', args),
  ).toMatchObject({
    workout_intensity: 'low',
    intensity_basis: {
      activity_provider: 'files',
      activities: 1,
      hours_per_day: 0,
      average_heart_rate: null,
    },
    notes: ['No activity has a heart rate: the duration alone decides.'],
  });
  expect(
    await callTool(await own.connect({ caller: 'enterprise' }), 'get_nutrient_timing', args),
  ).toMatchObject({
    isError: true,
    text: expect.stringContaining('You have no data at files.'),
  });
  await own.close();
  rmSync(folder, { recursive: true });
});

test('fdc_id is a string of digits or an integer, and both are padded', async () => {
  const client = await stack.connect({ caller: 'anonymous' });
  for (const fdc_id of ['09040', '9040', 9040])
    expect(await callJson(client, 'get_food_details', { fdc_id })).toMatchObject({ fdc_id: '09040' });
  expect(await findArgument(client, 'get_food_details', 'fdc_id')).toEqual({
    anyOf: [
      { type: 'string', pattern: '^[0-9]{1,5}$' },
      { type: 'integer', minimum: 1, maximum: 99_999 },
    ],
    description: 'Five digits, as search_food returns them; shorter ids are padded with zeros',
  });
});

test('unknown foods are an error that names each of them with foods of a similar id', async () => {
  const client = await stack.connect({ caller: 'anonymous' });
  const foods = [
    { fdc_id: '09040', grams: 100 },
    { fdc_id: '0904', grams: 100 },
    { fdc_id: 99_999, grams: 100 },
  ];
  const { text, isError } = await callTool(client, 'analyze_meal_nutrition', { foods });
  expect(isError).toBe(true);
  expect(text.split('\n')).toEqual([
    expect.stringMatching(
      /^foods\[1\]\.fdc_id: Unknown food "00904": find its id with search_food\. Choices: /,
    ),
    expect.stringMatching(
      /^foods\[2\]\.fdc_id: Unknown food "99999": find its id with search_food\. Choices: /,
    ),
  ]);
});

test('pages of foods follow each other, and a query of some known words says so', async () => {
  const client = await stack.connect({ caller: 'anonymous' });
  const ids = async (args: object): Promise<readonly string[]> =>
    (
      await callJson<{ foods: { fdc_id: string }[] }>(client, 'search_food', { query: 'rice', ...args })
    ).foods.map(({ fdc_id }) => fdc_id);
  const whole = await ids({ page_size: 6 });
  expect(whole).toHaveLength(6);
  expect(await ids({ page_size: 3, page_number: 2 })).toEqual(whole.slice(3));
  expect(
    await callJson(client, 'search_food', { query: 'banana from the moon', page_size: 1 }),
  ).toMatchObject({
    all_words: false,
    notes: ['No food has all words of the query: these have some of them.'],
  });
});

test('format toon is a table of foods', async () => {
  const client = await stack.connect({ caller: 'anonymous' });
  const { text } = await callTool(client, 'search_food', { query: 'banana', page_size: 1, format: 'toon' });
  expect(text.split('\n').slice(-2)).toEqual([
    'foods[1]{fdc_id,name,group,energy_kcal,protein_g,carbohydrate_g,fat_g}:',
    '  "09040","bananas, raw",fruit,89,1.09,22.84,0.33',
  ]);
  const meal = await callTool(client, 'analyze_meal_nutrition', {
    foods: [{ fdc_id: '09040', grams: 100 }],
    format: 'toon',
  });
  expect(meal.text).toContain(
    'foods[1]{fdc_id,name,grams,energy_kcal,protein_g,carbohydrate_g,fat_g,saturated_fat_g,fiber_g,sugar_g,sodium_mg,potassium_mg,calcium_mg,iron_mg,vitamin_c_mg}:',
  );
});

test('anonymous callers have four of the five tools', async () => {
  const client = await stack.connect({ caller: 'anonymous' });
  await expect(
    callTool(client, 'get_nutrient_timing', { ...TIMING, workout_intensity: 'low' }),
  ).rejects.toThrow(/Unknown tool/);
});
