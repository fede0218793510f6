import { expect, test } from 'vitest';
import { CATALOG } from '../../src/gate/catalog.ts';
import { parseDisabledTools } from '../../src/gate/disabled-tools.ts';

/** Category, plan (s starter, p professional, e enterprise) and `*` for public tools. */
const EXPECTED: readonly (readonly [name: string, category: string, plan: string])[] = [
  ['get_activities', 'core', 's*'],
  ['get_athlete', 'core', 's*'],
  ['get_stats', 'core', 's*'],
  ['get_connection_status', 'core', 's'],
  ['connect_provider', 'core', 's'],
  ['disconnect_provider', 'core', 's'],
  ['set_goal', 'goals', 's'],
  ['suggest_goals', 'goals', 's*'],
  ['track_progress', 'goals', 's'],
  ['analyze_goal_feasibility', 'goals', 'p'],
  ['analyze_activity', 'analysis', 's*'],
  ['get_activity_intelligence', 'analysis', 's*'],
  ['calculate_metrics', 'analysis', 's*'],
  ['analyze_performance_trends', 'analysis', 'p*'],
  ['compare_activities', 'analysis', 's*'],
  ['detect_patterns', 'analysis', 'p*'],
  ['generate_recommendations', 'analysis', 'p'],
  ['calculate_fitness_score', 'analysis', 's'],
  ['predict_performance', 'analysis', 'e'],
  ['analyze_training_load', 'analysis', 'p'],
  ['get_configuration_catalog', 'configuration', 's*'],
  ['get_configuration_profiles', 'configuration', 's*'],
  ['get_user_configuration', 'configuration', 's'],
  ['update_user_configuration', 'configuration', 's'],
  ['calculate_personalized_zones', 'configuration', 's'],
  ['validate_configuration', 'configuration', 's*'],
  ['get_fitness_config', 'fitness_config', 's'],
  ['set_fitness_config', 'fitness_config', 's'],
  ['list_fitness_configs', 'fitness_config', 's'],
  ['delete_fitness_config', 'fitness_config', 's'],
  ['analyze_sleep_quality', 'sleep', 'p'],
  ['calculate_recovery_score', 'sleep', 'p'],
  ['suggest_rest_day', 'sleep', 'p'],
  ['track_sleep_trends', 'sleep', 'p'],
  ['optimize_sleep_schedule', 'sleep', 'e'],
  ['calculate_daily_nutrition', 'nutrition', 's*'],
  ['get_nutrient_timing', 'nutrition', 'p'],
  ['search_food', 'nutrition', 's*'],
  ['get_food_details', 'nutrition', 's*'],
  ['analyze_meal_nutrition', 'nutrition', 's*'],
  ['get_recipe_constraints', 'recipes', 's'],
  ['validate_recipe', 'recipes', 's'],
  ['save_recipe', 'recipes', 's'],
  ['list_recipes', 'recipes', 's'],
  ['get_recipe', 'recipes', 's'],
  ['delete_recipe', 'recipes', 's'],
  ['search_recipes', 'recipes', 's'],
  ['admin_add_user', 'admin', '-'],
  ['admin_issue_token', 'admin', '-'],
  ['admin_set_plan', 'admin', '-'],
  ['admin_set_override', 'admin', '-'],
  ['admin_remove_override', 'admin', '-'],
  ['admin_get_catalog', 'admin', '-'],
  ['admin_get_effective_tools', 'admin', '-'],
];

test('the catalog has the 47 tools in eight categories and the seven of administrators, in this order', () => {
  const listed = [...CATALOG.values()].map(({ name, category, plan, isPublic }) => [
    name,
    category,
    `${plan?.[0] ?? '-'}${isPublic ? '*' : ''}`,
  ]);
  expect(listed).toEqual(EXPECTED);
  expect(listed.filter(([, category]) => category !== 'admin')).toHaveLength(47);
  expect(listed.filter(([, , plan]) => plan?.endsWith('*'))).toHaveLength(17);
  expect(listed.filter(([, category]) => category === 'admin')).toHaveLength(7);
});

test('the plans have 35, 45 and 47 tools', () => {
  const plans = [...CATALOG.values()].map(({ plan }) => plan);
  expect(plans.filter((plan) => plan === 'starter')).toHaveLength(35);
  expect(plans.filter((plan) => plan === 'professional')).toHaveLength(10);
  expect(plans.filter((plan) => plan === 'enterprise')).toHaveLength(2);
});

test('FITNESS_DISABLED_TOOLS is names separated by commas', () => {
  expect([...parseDisabledTools(undefined)]).toEqual([]);
  expect([...parseDisabledTools(' , ')]).toEqual([]);
  expect([...parseDisabledTools('get_stats, set_goal,get_stats')]).toEqual(['get_stats', 'set_goal']);
});

test('an unknown name in FITNESS_DISABLED_TOOLS is rejected with the choices', () => {
  expect(() => parseDisabledTools('get_stats,get_stat,__proto__')).toThrow(
    /^Unknown tool "get_stat", "__proto__" in FITNESS_DISABLED_TOOLS: use names separated by commas, of get_activities, .*, admin_get_effective_tools\.$/,
  );
});
