import { expect, test } from 'vitest';
import { startStack } from '../support/stack.ts';
import { expectGolden, Transcript } from '../support/transcript.ts';

const toon = { format: 'toon' };
const HALF_MARATHON = 'synthetic-2026-09-27-1';

/** The last race, and what it says about the next one. */
async function reviewRace(session: Transcript): Promise<void> {
  await session.call('get_activities', { sport_type: 'run', limit: 3, ...toon });
  await session.call('analyze_activity', { activity_id: HALF_MARATHON, ...toon });
  await session.call('get_activity_intelligence', { activity_id: HALF_MARATHON, ...toon });
  await session.call('compare_activities', {
    activity_id: HALF_MARATHON,
    comparison_type: 'personal_best',
    ...toon,
  });
  await session.call('calculate_metrics', {
    activity_id: HALF_MARATHON,
    metrics: ['vdot', 'decoupling', 'tss'],
    ...toon,
  });
  await session.call('predict_performance', {
    target_sport: 'run',
    target_distance: 42_195,
    target_date: '2027-04-18',
    ...toon,
  });
}

/** The state of training. */
async function reviewTraining(session: Transcript): Promise<void> {
  await session.call('analyze_training_load', { sleep_provider: 'synthetic', ...toon });
  await session.call('analyze_performance_trends', { timeframe: 'quarter', metric: 'pace', ...toon });
  await session.call('detect_patterns', {
    pattern_type: 'training_consistency',
    timeframe: 'month',
    ...toon,
  });
  await session.call('detect_patterns', { pattern_type: 'injury_risk', timeframe: 'month', ...toon });
  await session.call('calculate_fitness_score', toon);
}

/** A goal that is too high, then one that is suggested, whose id is returned. */
async function plan(session: Transcript): Promise<string> {
  const goal = { goal_type: 'distance', target_date: '2026-12-16', sport_type: 'run' };
  const set = async (kilometres: number): Promise<string> => {
    const title = `${kilometres} km in four weeks`;
    const text = await session.call('set_goal', { title, target_value: 1000 * kilometres, ...goal });
    return (JSON.parse(text) as { readonly goal_id: string }).goal_id;
  };
  await session.call('analyze_goal_feasibility', { goal_id: await set(160) });
  await session.call('suggest_goals', toon);
  const goal_id = await set(117);
  await session.call('generate_recommendations', toon);
  return goal_id;
}

test('a runner plans a spring marathon in one session', async () => {
  const stack = await startStack();
  const session = new Transcript(await stack.connect({ caller: 'enterprise', transport: 'http' }));
  await reviewRace(session);
  await reviewTraining(session);
  const goal_id = await plan(session);
  // Two weeks later.
  stack.clock.advance(14 * 86_400_000);
  await session.call('track_progress', { goal_id });
  // Mistakes: a goal without its id, a sport without a formula, and an unknown metric.
  await session.call('track_progress', { goal_id: 'my goal' });
  await session.call('predict_performance', { target_sport: 'ride', target_distance: 100_000 });
  await session.call('calculate_metrics', { activity_id: HALF_MARATHON, metrics: ['watts'] });
  expect(session.count).toBe(20);
  expectGolden(session.toString(), new URL('runner.golden.txt', import.meta.url));
  await stack.close();
});
