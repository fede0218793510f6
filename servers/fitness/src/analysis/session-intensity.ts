import { intensityFactor } from '../algorithms/power/intensity-factor.ts';
import type { AthleteFigures } from '../athlete/athlete-figures.ts';
import { plausibleMaximum } from '../athlete/plausible-maximum.ts';
import type { Activity } from '../providers/provider.ts';

export interface SessionIntensity {
  readonly isHard: boolean;
  readonly reason: string;
}

/** Tempo of cycling begins here (Coggan). */
const HARD_FACTOR = 0.85;

/**
 * Whether a session was hard: its hardest part reached the lactate threshold, or it was a ride from tempo on. A mean would hide intervals
 * (the session-goal approach of Seiler and Kjerland 2006). Undefined without heart rate and power.
 */
export function findIntensity(activity: Activity, athlete: AthleteFigures): SessionIntensity | undefined {
  return byPower(activity, athlete) ?? byHeartRate(activity, athlete);
}

/** Only a hard ride: the normalized power of intervals between easy parts is low. */
function byPower(
  { sport_type, normalized_power_w: power }: Activity,
  athlete: AthleteFigures,
): SessionIntensity | undefined {
  const ftp = athlete.value('ftp');
  if (sport_type !== 'ride' || power === null || ftp === null) return undefined;
  const factor = intensityFactor(power, ftp);
  if (!factor.ok || factor.value < HARD_FACTOR) return undefined;
  return {
    isHard: true,
    reason: `Normalized power was ${Math.round(100 * factor.value)} % of FTP (from ${100 * HARD_FACTOR} %).`,
  };
}

function byHeartRate(activity: Activity, athlete: AthleteFigures): SessionIntensity | undefined {
  const highest = plausibleMaximum(activity);
  const lthr = athlete.value('lthr');
  if (highest === null || lthr === null) return undefined;
  const isHard = highest >= lthr;
  const relation = isHard ? 'reached' : 'stayed below';
  return {
    isHard,
    reason: `The highest heart rate (${Math.round(highest)} bpm) ${relation} LTHR (${lthr} bpm).`,
  };
}
