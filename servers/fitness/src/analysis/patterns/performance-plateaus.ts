import { performancePlateau } from '../../algorithms/patterns/plateau.ts';
import type { Measurement, Plateau } from '../../algorithms/patterns/plateau.ts';
import { localDayOf } from '../../activities/local-time.ts';
import { readPeriod } from '../../activities/read-period.ts';
import { SPORT_NOUNS } from '../../activities/sport-nouns.ts';
import { toDate } from '../../calendar/days.ts';
import { TIMEFRAME_DAYS } from '../../calendar/timeframes.ts';
import type { Activity, SportType } from '../../providers/provider.ts';
import { rounded } from '../../tools/results/rounded.ts';
import { efficiencyFactorOf } from '../metrics/endurance-metrics.ts';
import { trendOf } from '../trends/trend.ts';
import type { PatternFinding, PatternRequest, PatternResult } from './pattern.ts';

/** Plateaus of the efficiency factor of each sport: it does not depend on whether a session was easy or hard as pace does. */
export async function detectPlateaus(request: PatternRequest): Promise<PatternResult> {
  const { source, now, timeframe = 'quarter' } = request;
  const period = await readPeriod({ source, now, days: TIMEFRAME_DAYS[timeframe] });
  const notes: string[] = [];
  const rows = [...measureBySport(period.activities)].flatMap(([sport, measurements]) => {
    const plateau = performancePlateau(measurements);
    if (plateau.ok) return [{ sport, measurements, ...plateau.value }];
    notes.push(`${SPORT_NOUNS[sport]}: ${plateau.reason}`);
    return [];
  });
  return {
    data: {
      from: toDate(period.from),
      to: toDate(period.to),
      metric: 'efficiency_factor',
      findings: rows.map(toFinding),
      sports: rows.map(({ sport, measurements, weeks, change_percent, plateau }) => ({
        sport_type: sport,
        values: measurements.length,
        weeks: rounded(weeks),
        change_percent: rounded(change_percent),
        plateau,
      })),
    },
    notes:
      rows.length === 0 ? [...notes, 'No sport has enough activities with heart rate in this time.'] : notes,
  };
}

function measureBySport(activities: readonly Activity[]): ReadonlyMap<SportType, readonly Measurement[]> {
  const sports = new Map<SportType, Measurement[]>();
  for (const activity of activities) {
    const factor = efficiencyFactorOf({ activity });
    if (!factor.ok) continue;
    const known = sports.get(activity.sport_type) ?? [];
    known.push({ day: localDayOf(activity), value: factor.value });
    sports.set(activity.sport_type, known);
  }
  return sports;
}

interface PlateauOfSport extends Plateau {
  readonly sport: SportType;
  readonly measurements: readonly Measurement[];
}

function toFinding({ sport, measurements, plateau, change_percent, weeks }: PlateauOfSport): PatternFinding {
  const trend = trendOf(measurements);
  const isUnclear = trend.ok && trend.value.direction === 'unclear';
  const change = isUnclear ? 'No clear change' : change_percent > 0 ? 'Improvement' : 'Decline';
  return {
    pattern: `plateau_${sport}`,
    detected: plateau,
    finding: `${plateau ? 'Plateau' : change} of ${SPORT_NOUNS[sport]}`,
    reason: `Output for each heartbeat changed by ${change_percent.toFixed(1).replace('-', '−')} % in ${weeks.toFixed(1)} weeks and ${measurements.length} activities (a plateau within 2 %).`,
  };
}
