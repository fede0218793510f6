import { balancePart, FITNESS_WEIGHTS, loadPart, volumePart } from '../../algorithms/load/fitness-score.ts';
import type { FitnessParts } from '../../algorithms/load/fitness-score.ts';
import { weeklyConsistency } from '../../algorithms/patterns/weekly-consistency.ts';
import { selectDays } from '../../activities/read-period.ts';
import type { Period } from '../../activities/read-period.ts';
import type { AthleteFigures } from '../../athlete/athlete-figures.ts';
import { toNullable } from '../../tools/results/computed.ts';
import type { LoadHistory } from '../load/training-load-history.ts';
import { listTrainedDays } from '../patterns/whole-weeks.ts';
import { findIntensity } from '../session-intensity.ts';

/** One part of the fitness score. */
export interface FitnessPart {
  readonly part: keyof FitnessParts;
  readonly weight_percent: number;
  /** 0 to 100; null if the data are missing. */
  readonly score: number | null;
  readonly reason: string;
}

interface Scored {
  readonly score: number | null;
  readonly reason: string;
}

/** The parts of the fitness score of a period, with their reasons. */
export function listFitnessParts(
  load: LoadHistory,
  athlete: AthleteFigures,
  notes: string[],
): readonly FitnessPart[] {
  const parts: Readonly<Record<keyof FitnessParts, Scored>> = {
    consistency: scoreConsistency(load.period, notes),
    load: scoreLoad(load),
    volume: scoreVolume(load.period),
    balance: scoreBalance(load.period, athlete),
  };
  return Object.entries(parts).map(([name, scored]) => {
    const part = name as keyof FitnessParts;
    return { part, weight_percent: FITNESS_WEIGHTS[part], ...scored };
  });
}

/** Weeks of seven days that end today. */
function scoreConsistency(period: Period, notes: string[]): Scored {
  const days = 7 * Math.floor((period.to - period.from + 1) / 7);
  const trained = listTrainedDays(selectDays(period.activities, period.to - days + 1, period.to));
  const found = toNullable('consistency', weeklyConsistency(trained), notes);
  if (found === null) return { score: null, reason: 'Too few weeks.' };
  const { score, mean_days_per_week, weeks } = found;
  return {
    score,
    reason: `${mean_days_per_week.toFixed(1)} training days a week in ${weeks} weeks; the score falls with their variation.`,
  };
}

function scoreLoad({ history }: LoadHistory): Scored {
  const ctl = history.at(-1)?.ctl ?? 0;
  return { score: loadPart(ctl), reason: `Chronic load (CTL) is ${ctl.toFixed(1)}; 100 is full.` };
}

function scoreVolume({ from, to, activities }: Period): Scored {
  const seconds = activities.reduce((sum, { moving_time_s }) => sum + moving_time_s, 0);
  const hours = (7 * seconds) / 3600 / (to - from + 1);
  return { score: volumePart(hours), reason: `${hours.toFixed(1)} hours a week; 10 are full.` };
}

function scoreBalance({ activities }: Period, athlete: AthleteFigures): Scored {
  let [easy, all] = [0, 0];
  for (const activity of activities) {
    const intensity = findIntensity(activity, athlete);
    if (intensity === undefined) continue;
    all += activity.moving_time_s;
    if (!intensity.isHard) easy += activity.moving_time_s;
  }
  if (all === 0) return { score: null, reason: 'No activity has heart rate, or power with FTP.' };
  return {
    score: balancePart(easy / all),
    reason: `${Math.round((100 * easy) / all)} % of the time was in easy sessions; 75 to 90 % are full.`,
  };
}
