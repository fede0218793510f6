/** What calls of one client share. */
export interface CallState {
  /** Unique, for names that a database has once. */
  readonly name: string;
  /** Ids of results, by the tool that returned them. */
  readonly ids: Map<string, string>;
}

type Args = Readonly<Record<string, unknown>>;

/** A valid and an invalid call of one tool. */
export interface ToolCall {
  readonly tool: string;
  readonly valid: (state: CallState) => Args;
  readonly invalid: Args;
  /** Paths of the issues of the invalid call, joined by dots. */
  readonly paths: readonly string[];
}

const NONE = (): Args => ({});
const DAY_MS = 86_400_000;
const INGREDIENTS = [{ name: 'rolled oats', amount: 50, unit: 'g' }];
const DRAFT = { name: 'Porridge', servings: 1, ingredients: INGREDIENTS };
const NIGHT = { duration_hours: 7.5, efficiency_percent: 90 };
const OVERRIDE = { tool: 'get_stats', enabled: false, reason: 'Race week' };

const ofActivity = ({ ids }: CallState): { readonly activity_id: unknown } => ({
  activity_id: ids.get('get_activities'),
});
const ofGoal = ({ ids }: CallState): Args => ({ goal_id: ids.get('set_goal') });
const ofRecipe = ({ ids }: CallState): Args => ({ recipe_id: ids.get('save_recipe') });
const ofTenant = ({ name }: CallState): { readonly tenant: string } => ({ tenant: `team-${name}` });
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** One call for each tool of the catalog, in its order: later ones use the results of earlier ones. */
export const TOOL_CALLS: readonly ToolCall[] = [
  { tool: 'get_activities', valid: () => ({ limit: 3 }), invalid: { limit: 0 }, paths: ['limit'] },
  { tool: 'get_athlete', valid: NONE, invalid: { provider: 'garmin' }, paths: ['provider'] },
  { tool: 'get_stats', valid: NONE, invalid: { format: 'xml' }, paths: ['format'] },
  { tool: 'get_connection_status', valid: NONE, invalid: { client_secret: 'x' }, paths: ['client_secret'] },
  { tool: 'connect_provider', valid: () => ({ provider: 'synthetic' }), invalid: {}, paths: ['provider'] },
  {
    tool: 'disconnect_provider',
    valid: () => ({ provider: 'strava' }),
    invalid: { provider: 'files' },
    paths: ['provider'],
  },
  {
    tool: 'set_goal',
    valid: () => ({
      title: 'Run 100 km',
      goal_type: 'distance',
      target_value: 100_000,
      target_date: inDays(60),
      sport_type: 'run',
    }),
    invalid: { title: 'Run', goal_type: 'fun', target_value: 1, target_date: inDays(60) },
    paths: ['goal_type'],
  },
  {
    tool: 'suggest_goals',
    valid: NONE,
    invalid: { goal_category: 'fun' },
    paths: ['goal_category'],
  },
  { tool: 'track_progress', valid: ofGoal, invalid: { goal_id: 7 }, paths: ['goal_id'] },
  { tool: 'analyze_goal_feasibility', valid: ofGoal, invalid: {}, paths: ['goal_id'] },
  {
    tool: 'analyze_activity',
    valid: (state) => ({ ...ofActivity(state), mode: 'detailed', max_points: 20 }),
    invalid: { activity_id: 'x', max_points: 2 },
    paths: ['max_points'],
  },
  {
    tool: 'get_activity_intelligence',
    valid: ofActivity,
    invalid: { activity_id: 'x', include_weather: 'yes' },
    paths: ['include_weather'],
  },
  {
    tool: 'calculate_metrics',
    valid: ofActivity,
    invalid: { activity_id: 'x', metrics: ['tss', 'watts'] },
    paths: ['metrics.1'],
  },
  {
    tool: 'analyze_performance_trends',
    valid: () => ({ timeframe: 'quarter', metric: 'pace' }),
    invalid: { timeframe: 'decade', metric: 'pace' },
    paths: ['timeframe'],
  },
  {
    tool: 'compare_activities',
    valid: (state) => ({ ...ofActivity(state), comparison_type: 'recent' }),
    invalid: { activity_id: 'x' },
    paths: ['comparison_type'],
  },
  {
    tool: 'detect_patterns',
    valid: () => ({ pattern_type: 'training_consistency' }),
    invalid: { pattern_type: 'luck' },
    paths: ['pattern_type'],
  },
  {
    tool: 'generate_recommendations',
    valid: NONE,
    invalid: { recommendation_type: 'shoes' },
    paths: ['recommendation_type'],
  },
  { tool: 'calculate_fitness_score', valid: NONE, invalid: { timeframe: 'year' }, paths: ['timeframe'] },
  {
    tool: 'predict_performance',
    valid: () => ({ target_sport: 'run', target_distance: 10_000, target_date: inDays(60) }),
    invalid: { target_sport: 'run', target_distance: 1 },
    paths: ['target_distance'],
  },
  {
    tool: 'analyze_training_load',
    valid: () => ({ sleep_provider: 'synthetic' }),
    invalid: { timeframe: 'year' },
    paths: ['timeframe'],
  },
  { tool: 'get_configuration_catalog', valid: NONE, invalid: { all: true }, paths: ['all'] },
  { tool: 'get_configuration_profiles', valid: NONE, invalid: { format: 'csv' }, paths: ['format'] },
  { tool: 'get_user_configuration', valid: NONE, invalid: { user: 'x' }, paths: ['user'] },
  {
    tool: 'update_user_configuration',
    valid: () => ({ profile: 'recreational', parameters: { ctl_days: 42 } }),
    invalid: { parameters: { ctl_days: 4.5 } },
    paths: ['parameters.ctl_days'],
  },
  {
    tool: 'calculate_personalized_zones',
    valid: () => ({ vo2_max: 52 }),
    invalid: { vo2_max: '52' },
    paths: ['vo2_max'],
  },
  {
    tool: 'validate_configuration',
    valid: () => ({ parameters: { max_hr: 300 } }),
    invalid: { parameters: [] },
    paths: ['parameters'],
  },
  {
    tool: 'get_fitness_config',
    valid: NONE,
    invalid: { configuration_name: '' },
    paths: ['configuration_name'],
  },
  {
    tool: 'set_fitness_config',
    valid: () => ({ configuration: { ftp: 250 }, configuration_name: 'winter' }),
    invalid: { configuration: { heart_rate_zones: { zone1: { min: 100, max: 120 } } } },
    paths: ['zone2', 'zone3', 'zone4', 'zone5'].map((zone) => `configuration.heart_rate_zones.${zone}`),
  },
  { tool: 'list_fitness_configs', valid: NONE, invalid: { name: 'winter' }, paths: ['name'] },
  {
    tool: 'delete_fitness_config',
    valid: () => ({ configuration_name: 'winter' }),
    invalid: {},
    paths: ['configuration_name'],
  },
  {
    tool: 'analyze_sleep_quality',
    valid: () => ({ sleep_data: NIGHT }),
    invalid: { sleep_data: { duration_hours: 30 } },
    paths: ['sleep_data.duration_hours'],
  },
  {
    tool: 'calculate_recovery_score',
    valid: () => ({ sleep_data: NIGHT }),
    invalid: { user_config: { ftp: 5 } },
    paths: ['user_config.ftp'],
  },
  {
    tool: 'suggest_rest_day',
    valid: () => ({ sleep_data: NIGHT }),
    invalid: { sleep_data: NIGHT, sleep_provider: 'synthetic' },
    paths: ['sleep_data'],
  },
  { tool: 'track_sleep_trends', valid: NONE, invalid: { days: 6 }, paths: ['days'] },
  {
    tool: 'optimize_sleep_schedule',
    valid: NONE,
    invalid: { typical_wake_time: '6' },
    paths: ['typical_wake_time'],
  },
  {
    tool: 'calculate_daily_nutrition',
    valid: () => ({
      weight_kg: 70,
      height_cm: 175,
      age: 30,
      gender: 'male',
      activity_level: 'very_active',
      training_goal: 'maintenance',
    }),
    invalid: {
      weight_kg: 70,
      height_cm: 175,
      age: 30.5,
      gender: 'male',
      activity_level: 'lazy',
      training_goal: 'maintenance',
    },
    paths: ['age', 'activity_level'],
  },
  {
    tool: 'get_nutrient_timing',
    valid: () => ({ weight_kg: 70, daily_protein_g: 140, activity_provider: 'synthetic' }),
    invalid: { weight_kg: 70, daily_protein_g: 140 },
    paths: ['workout_intensity'],
  },
  { tool: 'search_food', valid: () => ({ query: 'banana' }), invalid: { query: '' }, paths: ['query'] },
  { tool: 'get_food_details', valid: () => ({ fdc_id: 9040 }), invalid: { fdc_id: 'b' }, paths: ['fdc_id'] },
  {
    tool: 'analyze_meal_nutrition',
    valid: () => ({ foods: [{ fdc_id: '09040', grams: 118 }] }),
    invalid: { foods: [{ fdc_id: '09040', grams: 0 }] },
    paths: ['foods.0.grams'],
  },
  {
    tool: 'get_recipe_constraints',
    valid: () => ({ meal_timing: 'rest_day', dietary_restrictions: ['vegan'] }),
    invalid: { meal_timing: 'lunch' },
    paths: ['meal_timing'],
  },
  {
    tool: 'validate_recipe',
    valid: () => DRAFT,
    invalid: { ...DRAFT, ingredients: [{ name: 'oats', amount: 1, unit: 'handful' }] },
    paths: ['ingredients.0.unit'],
  },
  {
    tool: 'save_recipe',
    valid: () => ({ ...DRAFT, instructions: ['Boil.'] }),
    invalid: DRAFT,
    paths: ['instructions'],
  },
  { tool: 'list_recipes', valid: NONE, invalid: { limit: 101 }, paths: ['limit'] },
  { tool: 'get_recipe', valid: ofRecipe, invalid: {}, paths: ['recipe_id'] },
  { tool: 'delete_recipe', valid: ofRecipe, invalid: { recipe_id: 7 }, paths: ['recipe_id'] },
  {
    tool: 'search_recipes',
    valid: () => ({ query: 'porridge' }),
    invalid: { query: 'x', limit: 0 },
    paths: ['limit'],
  },
  {
    tool: 'admin_add_user',
    valid: ({ name }) => ({ user: `user-${name}` }),
    invalid: { user: 'Mia' },
    paths: ['user'],
  },
  {
    tool: 'admin_issue_token',
    valid: ({ name }) => ({ user: `user-${name}`, valid_days: 1 }),
    invalid: { user: 'mia', valid_days: 0 },
    paths: ['valid_days'],
  },
  {
    tool: 'admin_set_plan',
    valid: (state) => ({ ...ofTenant(state), plan: 'starter' }),
    invalid: { tenant: 'acme', plan: 'gold' },
    paths: ['plan'],
  },
  {
    tool: 'admin_set_override',
    valid: (state) => ({ ...ofTenant(state), ...OVERRIDE }),
    invalid: { tenant: 'acme', ...OVERRIDE, tool: 'nope' },
    paths: ['tool'],
  },
  {
    tool: 'admin_remove_override',
    valid: (state) => ({ ...ofTenant(state), tool: OVERRIDE.tool }),
    invalid: { tenant: 'acme' },
    paths: ['tool'],
  },
  { tool: 'admin_get_catalog', valid: NONE, invalid: { category: 'yoga' }, paths: ['category'] },
  { tool: 'admin_get_effective_tools', valid: ofTenant, invalid: {}, paths: ['tenant'] },
];
