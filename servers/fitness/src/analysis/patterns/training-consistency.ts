import { hardEasyPattern } from '../../algorithms/patterns/hard-easy.ts';
import { volumeProgression } from '../../algorithms/patterns/volume-progression.ts';
import { weeklyConsistency } from '../../algorithms/patterns/weekly-consistency.ts';
import type { WeeklyConsistency } from '../../algorithms/patterns/weekly-consistency.ts';
import { toDate } from '../../calendar/days.ts';
import { TIMEFRAME_DAYS } from '../../calendar/timeframes.ts';
import { getValue, toNullable } from '../../tools/results/computed.ts';
import { rounded, roundRow } from '../../tools/results/rounded.ts';
import { findIntensity } from '../session-intensity.ts';
import { LONGER } from './pattern.ts';
import type { PatternFinding, PatternRequest, PatternResult } from './pattern.ts';
import { listTrainedDays, readWholeWeeks, toWeekRows } from './whole-weeks.ts';
import type { WeekRow } from './whole-weeks.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const REGULAR_SCORE = 70;

/** Regularity of training days, progression of volume, and alternation of hard and easy sessions. */
export async function detectConsistency(request: PatternRequest): Promise<PatternResult> {
  const { source, now, timeframe = 'quarter', athlete } = request;
  const period = await readWholeWeeks({ source, now, days: TIMEFRAME_DAYS[timeframe] });
  const consistency = getValue(weeklyConsistency(listTrainedDays(period)), LONGER);
  const weeks = toWeekRows(period);
  const hard = period.activities.flatMap((activity) => findIntensity(activity, athlete)?.isHard ?? []);
  const notes: string[] = [];
  const findings = [toRhythm(consistency), findVolume(weeks, notes), findAlternation(hard, notes)];
  return {
    data: {
      from: toDate(period.from),
      to: toDate(period.to),
      consistency_score: rounded(consistency.score),
      mean_days_per_week: rounded(consistency.mean_days_per_week),
      usual_weekdays: consistency.usual_weekdays.map((day) => WEEKDAYS[day - 1]),
      findings: findings.filter((finding) => finding !== undefined),
      weeks: weeks.map((week) => roundRow(week)),
      figures: athlete.list('ftp', 'lthr'),
    },
    notes,
  };
}

function toRhythm({ score, mean_days_per_week, usual_weekdays, weeks }: WeeklyConsistency): PatternFinding {
  const detected = score >= REGULAR_SCORE;
  const usual = usual_weekdays.map((day) => WEEKDAYS[day - 1]).join(', ');
  return {
    pattern: 'weekly_rhythm',
    detected,
    finding: detected ? 'Regular training' : 'Irregular training',
    reason: `Consistency ${Math.round(score)} of 100 (regular from ${REGULAR_SCORE}): ${mean_days_per_week.toFixed(1)} training days a week in ${weeks} weeks${usual === '' ? '' : `, mostly ${usual}`}.`,
  };
}

function findVolume(weeks: readonly WeekRow[], notes: string[]): PatternFinding | undefined {
  const progression = toNullable('volume', volumeProgression(weeks.map(({ hours }) => hours)), notes);
  if (progression === null) return undefined;
  const { direction, slope, jumps } = progression;
  const jumped = jumps.map((index) => weeks[index]?.week).join(', ');
  return {
    pattern: 'volume',
    detected: direction !== 'stable',
    finding: `Volume is ${direction}`,
    reason: `Hours change by ${(100 * slope).toFixed(1).replace('-', '−')} % of their mean a week (stable within 5 %).${jumps.length === 0 ? '' : ` More than 10 % above the week before: ${jumped}.`}`,
  };
}

function findAlternation(hard: readonly boolean[], notes: string[]): PatternFinding | undefined {
  const pattern = toNullable('hard_easy', hardEasyPattern(hard), notes);
  if (pattern === null) return undefined;
  const { alternating, alternation, hard_share, longest_hard_run } = pattern;
  return {
    pattern: 'hard_easy',
    detected: alternating,
    finding: alternating ? 'Hard and easy sessions alternate' : 'Hard and easy sessions do not alternate',
    reason: `${Math.round(100 * alternation)} % of neighbors differ (a pattern above 60 %); ${Math.round(100 * hard_share)} % of sessions were hard, at most ${longest_hard_run} in a row.`,
  };
}
