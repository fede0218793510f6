/** Plans, the smallest first: each has all tools of those before it. */
export const PLANS = ['starter', 'professional', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** Categories in the order of the catalog. The tools of `admin` are for administrators and owners. */
export const CATEGORIES = [
  'core',
  'goals',
  'analysis',
  'configuration',
  'fitness_config',
  'sleep',
  'nutrition',
  'recipes',
  'admin',
] as const;
export type Category = (typeof CATEGORIES)[number];

export interface CatalogTool {
  readonly name: string;
  readonly category: Category;
  /** The smallest plan that has the tool. No plan has the tools of `admin`. */
  readonly plan: Plan | undefined;
  /** Anonymous callers have the tool. */
  readonly isPublic: boolean;
  /** Only administrators have the tool, owners do not. */
  readonly isAdminOnly: boolean;
}

function tool(category: Category, name: string, plan: Plan | undefined): CatalogTool {
  return { name, category, plan, isPublic: false, isAdminOnly: false };
}

function publicTool(category: Category, name: string, plan: Plan): CatalogTool {
  return { ...tool(category, name, plan), isPublic: true };
}

/** All tools in the order of `tools/list`. */
const TOOLS: readonly CatalogTool[] = [
  publicTool('core', 'get_activities', 'starter'),
  publicTool('core', 'get_athlete', 'starter'),
  publicTool('core', 'get_stats', 'starter'),
  tool('core', 'get_connection_status', 'starter'),
  tool('core', 'connect_provider', 'starter'),
  tool('core', 'disconnect_provider', 'starter'),

  tool('goals', 'set_goal', 'starter'),
  publicTool('goals', 'suggest_goals', 'starter'),
  tool('goals', 'track_progress', 'starter'),
  tool('goals', 'analyze_goal_feasibility', 'professional'),

  publicTool('analysis', 'analyze_activity', 'starter'),
  publicTool('analysis', 'get_activity_intelligence', 'starter'),
  publicTool('analysis', 'calculate_metrics', 'starter'),
  publicTool('analysis', 'analyze_performance_trends', 'professional'),
  publicTool('analysis', 'compare_activities', 'starter'),
  publicTool('analysis', 'detect_patterns', 'professional'),
  tool('analysis', 'generate_recommendations', 'professional'),
  tool('analysis', 'calculate_fitness_score', 'starter'),
  tool('analysis', 'predict_performance', 'enterprise'),
  tool('analysis', 'analyze_training_load', 'professional'),

  publicTool('configuration', 'get_configuration_catalog', 'starter'),
  publicTool('configuration', 'get_configuration_profiles', 'starter'),
  tool('configuration', 'get_user_configuration', 'starter'),
  tool('configuration', 'update_user_configuration', 'starter'),
  tool('configuration', 'calculate_personalized_zones', 'starter'),
  publicTool('configuration', 'validate_configuration', 'starter'),

  tool('fitness_config', 'get_fitness_config', 'starter'),
  tool('fitness_config', 'set_fitness_config', 'starter'),
  tool('fitness_config', 'list_fitness_configs', 'starter'),
  tool('fitness_config', 'delete_fitness_config', 'starter'),

  tool('sleep', 'analyze_sleep_quality', 'professional'),
  tool('sleep', 'calculate_recovery_score', 'professional'),
  tool('sleep', 'suggest_rest_day', 'professional'),
  tool('sleep', 'track_sleep_trends', 'professional'),
  tool('sleep', 'optimize_sleep_schedule', 'enterprise'),

  publicTool('nutrition', 'calculate_daily_nutrition', 'starter'),
  tool('nutrition', 'get_nutrient_timing', 'professional'),
  publicTool('nutrition', 'search_food', 'starter'),
  publicTool('nutrition', 'get_food_details', 'starter'),
  publicTool('nutrition', 'analyze_meal_nutrition', 'starter'),

  tool('recipes', 'get_recipe_constraints', 'starter'),
  tool('recipes', 'validate_recipe', 'starter'),
  tool('recipes', 'save_recipe', 'starter'),
  tool('recipes', 'list_recipes', 'starter'),
  tool('recipes', 'get_recipe', 'starter'),
  tool('recipes', 'delete_recipe', 'starter'),
  tool('recipes', 'search_recipes', 'starter'),

  tool('admin', 'admin_add_user', undefined),
  tool('admin', 'admin_issue_token', undefined),
  { ...tool('admin', 'admin_set_plan', undefined), isAdminOnly: true },
  tool('admin', 'admin_set_override', undefined),
  tool('admin', 'admin_remove_override', undefined),
  tool('admin', 'admin_get_catalog', undefined),
  tool('admin', 'admin_get_effective_tools', undefined),
];

/** All tools by name, in the order of `tools/list`. */
export const CATALOG: ReadonlyMap<string, CatalogTool> = new Map(TOOLS.map((entry) => [entry.name, entry]));

/** Whether a plan has everything that the other one has. */
export function includesPlan(plan: Plan, other: Plan): boolean {
  return PLANS.indexOf(plan) >= PLANS.indexOf(other);
}
