import { formatKilometres } from '../../activities/describe-activity.ts';
import type { AthleteFigures } from '../../athlete/athlete-figures.ts';
import { DAY_S } from '../../calendar/days.ts';
import type { Activity } from '../../providers/provider.ts';
import { findIntensity } from '../session-intensity.ts';
import type { BasePerformance } from './base-performance.ts';

export interface Confidence {
  readonly confidence: 'high' | 'medium' | 'low';
  /** One sentence for each doubt. */
  readonly doubts: readonly string[];
}

export interface ConfidenceInput {
  readonly base: BasePerformance;
  readonly runs: readonly Activity[];
  readonly target_m: number;
  readonly athlete: AthleteFigures;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const OLD_DAYS = 90;
const LONG_RUN_DAYS = 90;
/** Factor between the distances of the base and of the target. */
const FAR = 2.5;
const LONG_RUN_SHARE = 0.6;
/** Training matters from a half marathon on. */
const LONG_M = 21_000;

/** No doubt is a high confidence, one a medium, more a low one. */
export function judgeConfidence(input: ConfidenceInput): Confidence {
  const doubts = [...listDoubtsOfBase(input), ...listDoubtsOfTraining(input)];
  return { confidence: doubts.length === 0 ? 'high' : doubts.length === 1 ? 'medium' : 'low', doubts };
}

function listDoubtsOfBase({ base, target_m, athlete, now }: ConfidenceInput): readonly string[] {
  const { activity, distance_m } = base;
  const doubts: string[] = [];
  const days = Math.floor((now / 1000 - activity.start_time) / DAY_S);
  if (days > OLD_DAYS) doubts.push(`The run is ${days} days old.`);
  const factor = Math.max(target_m / distance_m, distance_m / target_m);
  if (factor > FAR)
    doubts.push(
      `Its distance, ${formatKilometres(distance_m)}, is far from the target, ${formatKilometres(target_m)}.`,
    );
  const intensity = findIntensity(activity, athlete);
  if (intensity === undefined) doubts.push('Without heart rate, it is unknown whether the run was all out.');
  else if (!intensity.isHard)
    doubts.push(`The run was not all out: ${intensity.reason} The prediction is too slow then.`);
  return doubts;
}

function listDoubtsOfTraining({ runs, target_m, now }: ConfidenceInput): readonly string[] {
  if (target_m < LONG_M) return [];
  const since = now / 1000 - LONG_RUN_DAYS * DAY_S;
  const longest = Math.max(
    0,
    ...runs.filter(({ start_time }) => start_time >= since).map(({ distance_m }) => distance_m ?? 0),
  );
  if (longest >= LONG_RUN_SHARE * target_m) return [];
  return [
    `The longest run in ${LONG_RUN_DAYS} days, ${formatKilometres(longest)}, is less than ${100 * LONG_RUN_SHARE} % of the target: the formulas assume training for it.`,
  ];
}
