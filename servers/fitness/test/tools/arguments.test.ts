import { afterAll, describe, expect, test } from 'vitest';
import { callTool } from '../support/clients.ts';
import { showMembers } from '../support/show-schema.ts';
import type { JsonSchema } from '../support/show-schema.ts';
import { startStack } from '../support/stack.ts';

const stack = await startStack();
afterAll(() => stack.close());
const { tools } = await (await stack.connect({ caller: 'admin' })).listTools();

const FORMAT = 'format: json|toon = "json"';
const BODY =
  'ftp?: number 50..600, lthr?: number 100..200, max_hr?: number 100..220, resting_hr?: number 30..100, weight_kg?: number 25..300';
const OR_NULL = BODY.replaceAll(/\d(?=,|$)/g, '$& or null');
const MEASURES =
  'duration_hours: number 0.5..16, efficiency_percent?: number 1..100, deep_sleep_hours?: number 0..16, rem_sleep_hours?: number 0..16, light_sleep_hours?: number 0..16, awakenings?: integer 0..100, hrv_rmssd_ms?: number 5..250';
const SLEEP_DATA = `sleep_provider?: synthetic, sleep_data?: {date?: string date, ${MEASURES}}`;
const HRV = 'recent_hrv_values?: [number 5..250] 1..90, baseline_hrv?: number 5..250';
const RECOVERY = `activity_provider?: synthetic, ${SLEEP_DATA}, user_config?: {${BODY}}, ${HRV}, ${FORMAT}`;
const TIMING = 'pre_training|post_training|rest_day|general';
const DIET = 'dietary_restrictions?: [vegetarian|vegan|gluten_free|dairy_free|nut_free|keto|paleo] ..7';
const FDC_ID = 'fdc_id: string /^[0-9]{1,5}$/ or integer 1..99999';
const DRAFT = `name: string ..200 /\\S/, servings: number >0 ..1000, ingredients: [{name: string ..200 /\\S/, amount: number >0 ..100000, unit: g|kg|oz|lb|ml|cup|tbsp|tsp|piece, preparation?: string ..200 /\\S/}] 1..100, meal_timing?: ${TIMING}, target_calories?: number 50..5000, ${DIET}`;
const TAGS = 'tags?: [string ..50 /\\S/] ..20';

/** Five zones within 0 and a maximum. */
function zones(max: number): string {
  const members = [1, 2, 3, 4, 5].map(
    (zone) => `zone${zone}: {min: number 0..${max}, max: number 0..${max}}`,
  );
  return `{${members.join(', ')}} or null`;
}

/** Names, types, enums, bounds, defaults and nested objects. `?` is optional. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  get_configuration_catalog: FORMAT,
  get_configuration_profiles: FORMAT,
  get_user_configuration: FORMAT,
  update_user_configuration: `profile?: research|elite|recreational|beginner|medical, parameters?: {max_hr?: number 100..220 or null, resting_hr?: number 30..100 or null, lthr?: number 100..200 or null, ftp?: number 50..600 or null, vo2_max?: number 20..90 or null, weight_kg?: number 25..300 or null, max_hr_formula?: tanaka|fox|nes|gulati or null, training_status?: untrained|trained|well_trained or null, bmr_formula?: mifflin_st_jeor|harris_benedict or null, ctl_days?: integer 7..100 or null, atl_days?: integer 1..30 or null, load_smoothing?: time_constant|span or null, max_intensity_percent?: number 40..100 or null}, ${FORMAT}`,
  calculate_personalized_zones: `vo2_max: number 20..90, resting_hr: number 30..100 = 60, max_hr: number 100..220 = 190, lactate_threshold: number 0.5..0.95 = 0.85, sport_efficiency: number 0.5..1.5 = 1, ${FORMAT}`,
  validate_configuration: `parameters: {[name]: number or string ..100 or boolean or null}, ${FORMAT}`,

  get_fitness_config: 'configuration_name: string ..64 /\\S/ = "default"',
  set_fitness_config: `configuration: {heart_rate_zones?: ${zones(250)}, power_zones?: ${zones(3000)}, ${OR_NULL}}, configuration_name: string ..64 /\\S/ = "default"`,
  list_fitness_configs: FORMAT,
  delete_fitness_config: 'configuration_name: string ..64 /\\S/',

  analyze_sleep_quality: `${SLEEP_DATA}, ${HRV}, days_back: integer 1..90 = 14`,
  calculate_recovery_score: RECOVERY,
  suggest_rest_day: RECOVERY,
  track_sleep_trends: `sleep_provider?: synthetic, sleep_history?: [{date: string date, ${MEASURES}}] 7..90, days: integer 7..90 = 14, ${FORMAT}`,
  optimize_sleep_schedule: `activity_provider?: synthetic, sleep_provider?: synthetic, user_config?: {${BODY}}, upcoming_workout_intensity: low|moderate|high = "moderate", typical_wake_time: string /^([01][0-9]|2[0-3]):[0-5][0-9]$/ = "06:00", target_sleep_hours: number 4..12 = 8, ${FORMAT}`,

  calculate_daily_nutrition:
    'weight_kg: number 25..300, height_cm: number 100..250, age: integer 18..90, gender: male|female, activity_level: sedentary|lightly_active|moderately_active|very_active|extra_active, training_goal: maintenance|weight_loss|muscle_gain|strength_performance|endurance_performance',
  get_nutrient_timing:
    'weight_kg: number 25..300, daily_protein_g: number 20..500, workout_intensity?: low|moderate|high, activity_provider?: synthetic, days_back: integer 1..30 = 7',
  search_food: `query: string 1..200, page_size: integer 1..200 = 10, page_number: integer 1..1000000 = 1, ${FORMAT}`,
  get_food_details: `${FDC_ID}, ${FORMAT}`,
  analyze_meal_nutrition: `foods: [{${FDC_ID}, grams: number >0 ..100000}] 1..200, ${FORMAT}`,

  get_recipe_constraints: `meal_timing: ${TIMING}, calories?: number 50..5000, tdee?: number 800..10000, ${DIET}, max_prep_time_mins?: number 1..1440, max_cook_time_mins?: number 1..1440, ${FORMAT}`,
  validate_recipe: `${DRAFT}, ${FORMAT}`,
  save_recipe: `${DRAFT}, instructions: [string ..5000 /\\S/] 1..100, description?: string ..5000 /\\S/, prep_time_mins?: number 0..10080, cook_time_mins?: number 0..10080, ${TAGS}, ${FORMAT}`,
  list_recipes: `meal_timing?: ${TIMING}, ${TAGS}, limit: integer 1..100 = 20, offset: integer 0..1000000 = 0, ${FORMAT}`,
  get_recipe: `recipe_id: string 1..100, ${FORMAT}`,
  delete_recipe: 'recipe_id: string 1..100',
  search_recipes: `query: string ..200 /\\S/, meal_timing?: ${TIMING}, limit: integer 1..100 = 10, offset: integer 0..1000000 = 0, ${FORMAT}`,
};

const listed = tools.filter(({ name }) => name in ARGUMENTS);

test('the tools of this list have these arguments and no others', () => {
  const shown = listed.map(({ name, inputSchema }) => [name, showMembers(inputSchema as JsonSchema)]);
  expect(Object.fromEntries(shown)).toEqual(ARGUMENTS);
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, { inputSchema }) => {
  const schema = inputSchema as JsonSchema;

  test('every argument has a type, and every object is closed', () => {
    expect(showMembers(schema)).not.toContain('anything');
    for (const object of listObjects(schema)) expect(object.additionalProperties).not.toBe(undefined);
  });

  test('an unknown argument and an unknown format are -32602 with their paths', async () => {
    const client = await stack.connect({ caller: 'admin' });
    const hasFormat = schema.properties?.['format'] !== undefined;
    const args = { unexpected: 1, ...(hasFormat && { format: 'xml' }) };
    const error = await callTool(client, name, args).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: -32_602 });
    const { issues } = (error as { data: { issues: readonly { path: readonly string[] }[] } }).data;
    const paths = issues.map(({ path }) => path.join('.'));
    expect(paths).toContain('unexpected');
    if (hasFormat) expect(paths).toContain('format');
  });
});

/** The schema and all object schemas in it. */
function listObjects(schema: JsonSchema): readonly JsonSchema[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ];
  return [...(schema.type === 'object' ? [schema] : []), ...inner.flatMap(listObjects)];
}
