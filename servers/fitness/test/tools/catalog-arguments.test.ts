import { afterAll, expect, test } from 'vitest';
import { startStack } from '../support/stack.ts';
import { formatArguments } from './support/format-arguments.ts';

const SPORT = 'run|ride|swim|walk|hike|strength|row|ski|other';
const PROVIDERS = 'synthetic|files|strava';
const PLAN_TOOLS =
  'get_activities|get_athlete|get_stats|get_connection_status|connect_provider|disconnect_provider|set_goal|suggest_goals|track_progress|analyze_goal_feasibility|analyze_activity|get_activity_intelligence|calculate_metrics|analyze_performance_trends|compare_activities|detect_patterns|generate_recommendations|calculate_fitness_score|predict_performance|analyze_training_load|get_configuration_catalog|get_configuration_profiles|get_user_configuration|update_user_configuration|calculate_personalized_zones|validate_configuration|get_fitness_config|set_fitness_config|list_fitness_configs|delete_fitness_config|analyze_sleep_quality|calculate_recovery_score|suggest_rest_day|track_sleep_trends|optimize_sleep_schedule|calculate_daily_nutrition|get_nutrient_timing|search_food|get_food_details|analyze_meal_nutrition|get_recipe_constraints|validate_recipe|save_recipe|list_recipes|get_recipe|delete_recipe|search_recipes';
const ID = 'string ^[a-z\\d][a-z\\d._@-]{0,63}$';
const CATEGORIES = 'core|goals|analysis|configuration|fitness_config|sleep|nutrition|recipes|admin';
const TIMING = 'pre_training|post_training|rest_day|general';
const DIETS = 'vegetarian|vegan|gluten_free|dairy_free|nut_free|keto|paleo';
const NIGHT =
  'duration_hours: number 0.5..16, efficiency_percent?: number 1..100, deep_sleep_hours?: number 0..16, rem_sleep_hours?: number 0..16, light_sleep_hours?: number 0..16, awakenings?: integer 0..100, hrv_rmssd_ms?: number 5..250';
const BODY =
  '{ ftp?: number 50..600, lthr?: number 100..200, max_hr?: number 100..220, resting_hr?: number 30..100, weight_kg?: number 25..300 }';
const INGREDIENT =
  '{ name: string ..200 \\S, amount: number >0..100000, unit: g|kg|oz|lb|ml|cup|tbsp|tsp|piece, preparation?: string ..200 \\S }';
const FDC_ID = 'string ^[0-9]{1,5}$ or integer 1..99999';
const HEART_ZONE = '{ min: number 0..250, max: number 0..250 }';
const HEART_ZONES = `{ zone1: ${HEART_ZONE}, zone2: ${HEART_ZONE}, zone3: ${HEART_ZONE}, zone4: ${HEART_ZONE}, zone5: ${HEART_ZONE} }`;
const POWER_ZONE = '{ min: number 0..3000, max: number 0..3000 }';
const POWER_ZONES = `{ zone1: ${POWER_ZONE}, zone2: ${POWER_ZONE}, zone3: ${POWER_ZONE}, zone4: ${POWER_ZONE}, zone5: ${POWER_ZONE} }`;
const PROVIDER = `provider?: ${PROVIDERS}`;
const FORMAT = 'format?="json": json|toon';

/** The arguments of each tool, in the order of `tools/list`, on a server with all providers. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  get_activities: [
    PROVIDER,
    'limit?=20: integer 1..200',
    'offset?=0: integer 0..1000000',
    'after?: integer 0..4294967295',
    'before?: integer 0..4294967295',
    `sport_type?: ${SPORT}`,
    'mode?="summary": summary|detailed',
    FORMAT,
  ],
  get_athlete: [PROVIDER, FORMAT],
  get_stats: [PROVIDER, FORMAT],
  get_connection_status: [FORMAT],
  connect_provider: [`provider: ${PROVIDERS}`],
  disconnect_provider: [`provider: ${PROVIDERS}`],
  set_goal: [
    'title: string 1..200',
    'goal_type: distance|time|frequency|performance|custom',
    'target_value: number 0.001..1000000000',
    'target_date: date',
    'description?: string ..2000',
    `sport_type?: ${SPORT}`,
  ],
  suggest_goals: [PROVIDER, 'goal_category?="all": distance|performance|consistency|all', FORMAT],
  track_progress: ['goal_id: string 1..100'],
  analyze_goal_feasibility: ['goal_id: string 1..100'],
  analyze_activity: [
    PROVIDER,
    'activity_id: string 1..200',
    'mode?="summary": summary|detailed',
    'max_points?=200: integer 3..5000',
    FORMAT,
  ],
  get_activity_intelligence: [
    PROVIDER,
    'activity_id: string 1..200',
    'include_weather?=true: boolean',
    'include_location?=true: boolean',
    FORMAT,
  ],
  calculate_metrics: [
    PROVIDER,
    'activity_id: string 1..200',
    'metrics?: [tss|hr_tss|trimp_banister|trimp_edwards|trimp_lucia|normalized_power|intensity_factor|variability_index|power_to_weight|work|pace|efficiency_factor|decoupling|cardiac_drift|vdot|ftp_estimate|critical_power|heart_rate_zones|power_zones|power_curve] 1..20',
    FORMAT,
  ],
  analyze_performance_trends: [
    PROVIDER,
    'timeframe: week|month|quarter|sixmonths|year',
    'metric: pace|heart_rate|power|distance|duration',
    `sport_type?: ${SPORT}`,
    'mode?="summary": summary|detailed',
    'max_points?=200: integer 3..5000',
    FORMAT,
  ],
  compare_activities: [
    PROVIDER,
    'activity_id: string 1..200',
    'comparison_type: similar_activities|personal_best|average|recent',
    FORMAT,
  ],
  detect_patterns: [
    PROVIDER,
    'pattern_type: training_consistency|seasonal_trends|performance_plateaus|injury_risk',
    'timeframe?: week|month|quarter|sixmonths|year',
    FORMAT,
  ],
  generate_recommendations: [
    PROVIDER,
    'recommendation_type?="all": training|recovery|nutrition|equipment|all',
    'activity_id?: string 1..200',
    FORMAT,
  ],
  calculate_fitness_score: [
    PROVIDER,
    'timeframe?="quarter": month|quarter|sixmonths',
    'sleep_provider?: synthetic',
    FORMAT,
  ],
  predict_performance: [
    PROVIDER,
    `target_sport: ${SPORT}`,
    'target_distance: number 400..100000',
    'target_date?: date',
    FORMAT,
  ],
  analyze_training_load: [
    PROVIDER,
    'timeframe?="month": week|month|quarter',
    'sleep_provider?: synthetic',
    'mode?="summary": summary|detailed',
    FORMAT,
  ],
  get_configuration_catalog: [FORMAT],
  get_configuration_profiles: [FORMAT],
  get_user_configuration: [FORMAT],
  update_user_configuration: [
    'profile?: research|elite|recreational|beginner|medical',
    'parameters?: { max_hr?: number 100..220 or null, resting_hr?: number 30..100 or null, lthr?: number 100..200 or null, ftp?: number 50..600 or null, vo2_max?: number 20..90 or null, weight_kg?: number 25..300 or null, max_hr_formula?: tanaka|fox|nes|gulati or null, training_status?: untrained|trained|well_trained or null, bmr_formula?: mifflin_st_jeor|harris_benedict or null, ctl_days?: integer 7..100 or null, atl_days?: integer 1..30 or null, load_smoothing?: time_constant|span or null, max_intensity_percent?: number 40..100 or null }',
    FORMAT,
  ],
  calculate_personalized_zones: [
    'vo2_max: number 20..90',
    'resting_hr?=60: number 30..100',
    'max_hr?=190: number 100..220',
    'lactate_threshold?=0.85: number 0.5..0.95',
    'sport_efficiency?=1: number 0.5..1.5',
    FORMAT,
  ],
  validate_configuration: ['parameters: { [name]: number or string ..100 or boolean or null }', FORMAT],
  get_fitness_config: ['configuration_name?="default": string ..64 \\S'],
  set_fitness_config: [
    `configuration: { heart_rate_zones?: ${HEART_ZONES} or null, power_zones?: ${POWER_ZONES} or null, ftp?: number 50..600 or null, lthr?: number 100..200 or null, max_hr?: number 100..220 or null, resting_hr?: number 30..100 or null, weight_kg?: number 25..300 or null }`,
    'configuration_name?="default": string ..64 \\S',
  ],
  list_fitness_configs: [FORMAT],
  delete_fitness_config: ['configuration_name: string ..64 \\S'],
  analyze_sleep_quality: [
    'sleep_provider?: synthetic',
    `sleep_data?: { date?: date, ${NIGHT} }`,
    'recent_hrv_values?: [number 5..250] 1..90',
    'baseline_hrv?: number 5..250',
    'days_back?=14: integer 1..90',
  ],
  calculate_recovery_score: [
    `activity_provider?: ${PROVIDERS}`,
    'sleep_provider?: synthetic',
    `sleep_data?: { date?: date, ${NIGHT} }`,
    `user_config?: ${BODY}`,
    'recent_hrv_values?: [number 5..250] 1..90',
    'baseline_hrv?: number 5..250',
    FORMAT,
  ],
  suggest_rest_day: [
    `activity_provider?: ${PROVIDERS}`,
    'sleep_provider?: synthetic',
    `sleep_data?: { date?: date, ${NIGHT} }`,
    `user_config?: ${BODY}`,
    'recent_hrv_values?: [number 5..250] 1..90',
    'baseline_hrv?: number 5..250',
    FORMAT,
  ],
  track_sleep_trends: [
    'sleep_provider?: synthetic',
    `sleep_history?: [{ date: date, ${NIGHT} }] 7..90`,
    'days?=14: integer 7..90',
    FORMAT,
  ],
  optimize_sleep_schedule: [
    `activity_provider?: ${PROVIDERS}`,
    'sleep_provider?: synthetic',
    `user_config?: ${BODY}`,
    'upcoming_workout_intensity?="moderate": low|moderate|high',
    'typical_wake_time?="06:00": string ^([01][0-9]|2[0-3]):[0-5][0-9]$',
    'target_sleep_hours?=8: number 4..12',
    FORMAT,
  ],
  calculate_daily_nutrition: [
    'weight_kg: number 25..300',
    'height_cm: number 100..250',
    'age: integer 18..90',
    'gender: male|female',
    'activity_level: sedentary|lightly_active|moderately_active|very_active|extra_active',
    'training_goal: maintenance|weight_loss|muscle_gain|strength_performance|endurance_performance',
  ],
  get_nutrient_timing: [
    'weight_kg: number 25..300',
    'daily_protein_g: number 20..500',
    'workout_intensity?: low|moderate|high',
    `activity_provider?: ${PROVIDERS}`,
    'days_back?=7: integer 1..30',
  ],
  search_food: [
    'query: string 1..200',
    'page_size?=10: integer 1..200',
    'page_number?=1: integer 1..1000000',
    FORMAT,
  ],
  get_food_details: [`fdc_id: ${FDC_ID}`, FORMAT],
  analyze_meal_nutrition: [`foods: [{ fdc_id: ${FDC_ID}, grams: number >0..100000 }] 1..200`, FORMAT],
  get_recipe_constraints: [
    `meal_timing: ${TIMING}`,
    'calories?: number 50..5000',
    'tdee?: number 800..10000',
    `dietary_restrictions?: [${DIETS}] ..7`,
    'max_prep_time_mins?: number 1..1440',
    'max_cook_time_mins?: number 1..1440',
    FORMAT,
  ],
  validate_recipe: [
    'name: string ..200 \\S',
    'servings: number >0..1000',
    `ingredients: [${INGREDIENT}] 1..100`,
    `meal_timing?: ${TIMING}`,
    'target_calories?: number 50..5000',
    `dietary_restrictions?: [${DIETS}] ..7`,
    FORMAT,
  ],
  save_recipe: [
    'name: string ..200 \\S',
    'servings: number >0..1000',
    `ingredients: [${INGREDIENT}] 1..100`,
    `meal_timing?: ${TIMING}`,
    'target_calories?: number 50..5000',
    `dietary_restrictions?: [${DIETS}] ..7`,
    'instructions: [string ..5000 \\S] 1..100',
    'description?: string ..5000 \\S',
    'prep_time_mins?: number 0..10080',
    'cook_time_mins?: number 0..10080',
    'tags?: [string ..50 \\S] ..20',
    FORMAT,
  ],
  list_recipes: [
    `meal_timing?: ${TIMING}`,
    'tags?: [string ..50 \\S] ..20',
    'limit?=20: integer 1..100',
    'offset?=0: integer 0..1000000',
    FORMAT,
  ],
  get_recipe: ['recipe_id: string 1..100', FORMAT],
  delete_recipe: ['recipe_id: string 1..100'],
  search_recipes: [
    'query: string ..200 \\S',
    `meal_timing?: ${TIMING}`,
    'limit?=10: integer 1..100',
    'offset?=0: integer 0..1000000',
    FORMAT,
  ],
  admin_add_user: [`user: ${ID}`, 'role?: user|member|owner|admin', `tenant?: ${ID}`],
  admin_issue_token: [`user: ${ID}`, 'valid_days?: integer 1..3650'],
  admin_set_plan: [`tenant: ${ID}`, 'plan: starter|professional|enterprise'],
  admin_set_override: [`tenant: ${ID}`, `tool: ${PLAN_TOOLS}`, 'enabled: boolean', 'reason: string 1..500'],
  admin_remove_override: [`tenant: ${ID}`, `tool: ${PLAN_TOOLS}`],
  admin_get_catalog: [`category?: ${CATEGORIES}`, FORMAT],
  admin_get_effective_tools: [`tenant: ${ID}`, `category?: ${CATEGORIES}`, `tool?: ${PLAN_TOOLS}`, FORMAT],
};

const stack = await startStack({
  environment: {
    FITNESS_FILES: import.meta.dirname,
    FITNESS_USER: 'user',
    FITNESS_KEY: Buffer.alloc(32, 7).toString('base64'),
    FITNESS_STRAVA_CLIENT_ID: '1',
    FITNESS_STRAVA_CLIENT_SECRET: 'secret',
  },
});
afterAll(() => stack.close());

test('the 54 tools have these names and arguments, with their types, bounds and defaults', async () => {
  const client = await stack.connect({ caller: 'admin' });
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(54);
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(ARGUMENTS));
  for (const { name, inputSchema } of tools)
    expect(`${name}: ${formatArguments(inputSchema)}`).toBe(`${name}: ${ARGUMENTS[name]?.join(', ')}`);
  for (const { inputSchema } of tools) expect(inputSchema['additionalProperties']).toBe(false);
});
