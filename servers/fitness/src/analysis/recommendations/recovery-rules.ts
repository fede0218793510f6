import { meanOf } from '../../algorithms/statistics/spread.ts';
import { hrvState } from '../../sleep/hrv-state.ts';
import { activityLoad } from '../load/activity-load.ts';
import type { Advice } from './recommendation.ts';
import type { TrainingFacts } from './training-facts.ts';

const LONG_ROW_DAYS = 7;
const VERY_LONG_ROW_DAYS = 14;
const WEEK = 7;
const ENOUGH_SLEEP_HOURS = 7;
const LITTLE_SLEEP_HOURS = 6;

/** Fatigue after sessions by their TSS (Allen and Coggan, Training and Racing with a Power Meter). */
const FATIGUE = [
  { below: 150, recommendation: 'is recovered by the next day' },
  { below: 300, recommendation: 'needs an easy day after it' },
  { below: 450, recommendation: 'needs two easy days after it' },
  { below: Infinity, recommendation: 'needs several easy days after it' },
] as const;

/** Rules about rest, sleep and the time after a session. */
export function adviseRecovery(facts: TrainingFacts): readonly Advice[] {
  const advice = [adviseRest(facts), adviseAfter(facts), adviseSleep(facts), adviseHrv(facts)];
  const found = advice.filter((each) => each !== undefined);
  return found.length > 0
    ? found
    : [
        {
          priority: 'low',
          recommendation: 'Nothing to change.',
          reason: 'There is no activity and no night to judge.',
        },
      ];
}

function adviseRest({ days_in_a_row: days }: TrainingFacts): Advice | undefined {
  if (days < LONG_ROW_DAYS) return undefined;
  return {
    priority: days >= VERY_LONG_ROW_DAYS ? 'high' : 'medium',
    recommendation: 'Take a day without training.',
    reason: `You have trained on ${days} days in a row.`,
  };
}

function adviseAfter({ activity, athlete }: TrainingFacts): Advice | undefined {
  const load = activity && activityLoad(activity, athlete);
  if (activity === undefined || !load?.ok) return undefined;
  const level = FATIGUE.findIndex(({ below }) => load.value < below);
  return {
    priority: level === 0 ? 'low' : level === 1 ? 'medium' : 'high',
    recommendation: `${activity.name} ${FATIGUE[level]?.recommendation}.`,
    reason: `Its load is ${Math.round(load.value)} TSS: below 150 fatigue lasts until the next day, below 300 a day longer, below 450 two.`,
  };
}

function adviseSleep({ nights }: TrainingFacts): Advice | undefined {
  const week = nights.slice(-WEEK);
  const hours = meanOf(week.map(({ duration_hours }) => duration_hours));
  if (hours === undefined || hours >= ENOUGH_SLEEP_HOURS) return undefined;
  return {
    priority: hours < LITTLE_SLEEP_HOURS ? 'high' : 'medium',
    recommendation: `Sleep at least ${ENOUGH_SLEEP_HOURS} hours.`,
    reason: `The mean of the last ${week.length} nights is ${hours.toFixed(1)} hours.`,
  };
}

function adviseHrv({ nights }: TrainingFacts): Advice | undefined {
  const hrv = nights.length === 0 ? null : hrvState({ nights }, []);
  if (hrv === null || hrv.status === 'recovered' || hrv.status === 'normal') return undefined;
  return {
    priority: hrv.status === 'suppressed' ? 'high' : 'medium',
    recommendation: hrv.status === 'suppressed' ? 'Rest today.' : 'Train easily today.',
    reason: `HRV is ${hrv.rmssd_ms} ms, ${Math.abs(hrv.change_percent)} % below its baseline (${hrv.baseline_ms} ms).`,
  };
}
