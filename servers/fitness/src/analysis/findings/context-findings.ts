import { formatKilometres } from '../../activities/describe-activity.ts';
import { paceOf, paceUnitOf } from '../../activities/pace.ts';
import { SPORT_NOUN, SPORT_NOUNS } from '../../activities/sport-nouns.ts';
import { meanOf } from '../../algorithms/statistics/spread.ts';
import { formatPace } from '../../algorithms/units/pace.ts';
import type { AthleteFigures } from '../../athlete/athlete-figures.ts';
import { DAY_S } from '../../calendar/days.ts';
import type { Activity } from '../../providers/provider.ts';
import { activityLoad } from '../load/activity-load.ts';
import type { Finding } from './finding.ts';

/** An activity with those of the same sport in the days before it, the newest first. */
export interface ActivityInContext {
  readonly activity: Activity;
  readonly before: readonly Activity[];
  /** Number of days that `before` covers. */
  readonly days: number;
  readonly athlete: AthleteFigures;
}

/** Fewer activities are no habit. */
const FEWEST = 3;
const LONG_BREAK_DAYS = 14;

/** Observations about an activity in comparison with those before it. */
export function listContextFindings(context: ActivityInContext): readonly Finding[] {
  const pause = findBreak(context);
  if (context.before.length < FEWEST) return pause === undefined ? [] : [pause];
  return [pause, findDistance(context), findPace(context), findLoad(context)].filter(
    (finding) => finding !== undefined,
  );
}

function findBreak({ activity, before, days }: ActivityInContext): Finding | undefined {
  const [last] = before;
  const noun = SPORT_NOUN[activity.sport_type];
  if (last === undefined)
    return {
      topic: 'habit',
      finding: `First ${noun} in ${days} days`,
      reason: 'There is no other one in this time.',
    };
  const pause = Math.floor((activity.start_time - last.start_time) / DAY_S);
  if (pause < LONG_BREAK_DAYS) return undefined;
  return {
    topic: 'habit',
    finding: `First ${noun} in ${pause} days`,
    reason: `The one before was ${last.id}.`,
  };
}

function findDistance({ activity, before, days }: ActivityInContext): Finding | undefined {
  const distances = before.flatMap(({ distance_m }) => distance_m ?? []);
  const mean = meanOf(distances);
  const { distance_m: distance, sport_type } = activity;
  if (mean === undefined || mean === 0 || distance === null) return undefined;
  const longest = Math.max(...distances);
  const reason = `${formatKilometres(distance)}; the ${distances.length} ${SPORT_NOUNS[sport_type]} of ${days} days before had ${formatKilometres(mean)} on average and ${formatKilometres(longest)} at most.`;
  if (distance > longest)
    return { topic: 'distance', finding: `Longest ${SPORT_NOUN[sport_type]} in ${days} days`, reason };
  if (distance > 1.3 * mean) return { topic: 'distance', finding: 'Longer than usual', reason };
  return distance < 0.7 * mean ? { topic: 'distance', finding: 'Shorter than usual', reason } : undefined;
}

function findPace({ activity, before, days }: ActivityInContext): Finding | undefined {
  const pace = paceOf(activity);
  const paces = before.flatMap((each) => {
    const other = paceOf(each);
    return other.ok ? [other.value] : [];
  });
  const mean = meanOf(paces);
  if (!pace.ok || mean === undefined) return undefined;
  const unit = paceUnitOf(activity.sport_type);
  const change = (100 * (mean - pace.value)) / mean;
  const reason = `${formatPace(pace.value, unit)}; the mean of ${days} days before is ${formatPace(mean, unit)}.`;
  if (pace.value < Math.min(...paces))
    return { topic: 'pace', finding: `Fastest ${SPORT_NOUN[activity.sport_type]} in ${days} days`, reason };
  if (Math.abs(change) < 5) return { topic: 'pace', finding: 'Usual pace', reason };
  return { topic: 'pace', finding: change > 0 ? 'Faster than usual' : 'Slower than usual', reason };
}

function findLoad({ activity, before, athlete, days }: ActivityInContext): Finding | undefined {
  const load = activityLoad(activity, athlete);
  const loads = before.flatMap((each) => {
    const other = activityLoad(each, athlete);
    return other.ok ? [other.value] : [];
  });
  const mean = meanOf(loads);
  if (!load.ok || mean === undefined || load.value <= 1.5 * mean) return undefined;
  return {
    topic: 'load',
    finding: 'Higher load than usual',
    reason: `Load ${Math.round(load.value)}; the mean of ${days} days before is ${Math.round(mean)}.`,
  };
}
