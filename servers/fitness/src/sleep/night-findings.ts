import { stagesScore } from '../algorithms/sleep/stages-score.ts';
import type { SleepNight } from '../providers/provider.ts';
import { stagesOf } from './score-night.ts';

/** The usual values that a night is compared with, as sentences about those that it does not reach. */
export function findNightFindings(night: SleepNight): readonly string[] {
  const { duration_hours, efficiency_percent, awakenings } = night;
  const findings: string[] = [];
  if (duration_hours < 7) findings.push(`Duration (${duration_hours} h) is below 7 h.`);
  if (efficiency_percent !== null && efficiency_percent < 85)
    findings.push(`Efficiency (${efficiency_percent} %) is below 85 %: much time in bed was awake.`);
  // The panel of the National Sleep Foundation (Ohayon and others 2017) calls four and more a sign of poor sleep.
  if (awakenings !== null && awakenings >= 4)
    findings.push(`There were ${awakenings} awakenings: usual are 0 to 3.`);
  return [...findings, ...findStageFindings(night)];
}

function findStageFindings(night: SleepNight): readonly string[] {
  const stages = stagesOf(night);
  const shares = stages && stagesScore(stages);
  if (shares === null || !shares.ok) return [];
  const { deep_percent, rem_percent } = shares.value;
  const rows = [
    { name: 'Deep sleep', percent: deep_percent, min: 15, max: 25 },
    { name: 'REM sleep', percent: rem_percent, min: 20, max: 25 },
  ];
  return rows
    .filter(({ percent, min, max }) => percent < min || percent > max)
    .map(
      ({ name, percent, min, max }) =>
        `${name} is ${Math.round(percent)} % of sleep: usual are ${min} to ${max} %.`,
    );
}
