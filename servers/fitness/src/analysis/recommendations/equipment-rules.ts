import { formatKilometres } from '../../activities/describe-activity.ts';
import type { Activity, SportType } from '../../providers/provider.ts';
import type { Advice } from './recommendation.ts';
import type { TrainingFacts } from './training-facts.ts';

const SHOES_M = 500_000;
const CHAIN_M = 3_000_000;
const MISSING_SHARE = 0.3;

/** Rules about wear and sensors. Providers do not tell which shoes or bicycle were used. */
export function adviseEquipment(facts: TrainingFacts): readonly Advice[] {
  const { half_year, four_weeks } = facts;
  const [run, ride] = [distanceOf(half_year, 'run'), distanceOf(half_year, 'ride')];
  const advice: Advice[] = [];
  if (run >= SHOES_M)
    advice.push({
      priority: 'medium',
      recommendation: 'Check your running shoes: they last 500 to 800 km.',
      reason: `You ran ${formatKilometres(run)} in 180 days.`,
    });
  if (ride >= CHAIN_M)
    advice.push({
      priority: 'medium',
      recommendation: 'Measure the wear of your chain: it lasts 3000 to 5000 km.',
      reason: `You rode ${formatKilometres(ride)} in 180 days.`,
    });
  advice.push(...adviseSensors(four_weeks));
  if (advice.length > 0) return advice;
  const reason = `In 180 days you ran ${formatKilometres(run)} and rode ${formatKilometres(ride)}, and your sensors recorded.`;
  return [{ priority: 'low', recommendation: 'Nothing to check.', reason }];
}

function adviseSensors(activities: readonly Activity[]): readonly Advice[] {
  const silent = activities.filter(({ average_heart_rate }) => average_heart_rate === null);
  const rides = activities.filter(({ sport_type }) => sport_type === 'ride');
  const advice: Advice[] = [];
  if (activities.length > 0 && silent.length / activities.length > MISSING_SHARE)
    advice.push({
      priority: 'medium',
      recommendation: 'Wear a heart rate sensor.',
      reason: `${silent.length} of ${activities.length} activities in four weeks have no heart rate, so their load is unknown.`,
    });
  if (rides.length > 0 && rides.every(({ normalized_power_w }) => normalized_power_w === null))
    advice.push({
      priority: 'low',
      recommendation: 'A power meter would measure the load of rides directly.',
      reason: `None of ${rides.length} rides in four weeks has power.`,
    });
  return advice;
}

function distanceOf(activities: readonly Activity[], sport: SportType): number {
  return activities.reduce(
    (sum, { sport_type, distance_m }) => sum + (sport_type === sport ? (distance_m ?? 0) : 0),
    0,
  );
}
