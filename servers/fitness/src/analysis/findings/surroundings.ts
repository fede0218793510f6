import { formatKilometres } from '../../activities/describe-activity.ts';
import { metresBetween } from '../../activities/metres-between.ts';
import type { Activity, ActivityWeather } from '../../providers/provider.ts';
import { rounded } from '../../tools/results/rounded.ts';
import type { Finding } from './finding.ts';

const HOT_C = 25;
const FREEZING_C = 0;
const STRONG_WIND_MPS = 8;
const HILLY_M_PER_KM = 20;
const ROLLING_M_PER_KM = 10;
/** A start this far away from the usual one is elsewhere. */
const ELSEWHERE_M = 25_000;

/** Observations about the weather at the start. */
export function listWeatherFindings({
  temperature_c,
  wind_mps,
  conditions,
}: ActivityWeather): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (finding: string, reason: string): number =>
    findings.push({ topic: 'weather', finding, reason });
  if (temperature_c >= HOT_C)
    add(
      'Heat',
      `${temperature_c} °C: heart rate is higher and pace slower from ${HOT_C} °C, at the same fitness.`,
    );
  if (temperature_c <= FREEZING_C) add('Frost', `${temperature_c} °C: warm up longer.`.replace('-', '−'));
  if (wind_mps >= STRONG_WIND_MPS) add('Strong wind', `${wind_mps} m/s: compare effort, not speed.`);
  if (/rain|snow/.test(conditions)) add('Wet', `Conditions: ${conditions}.`);
  if (findings.length === 0)
    add('Good conditions', `${temperature_c} °C, wind ${wind_mps} m/s, ${conditions}.`);
  return findings;
}

/** Climb for each kilometre; null without distance or climb. */
export function climbPerKilometre({ distance_m, elevation_gain_m }: Activity): number | null {
  if (distance_m === null || distance_m === 0 || elevation_gain_m === null) return null;
  return rounded((1000 * elevation_gain_m) / distance_m);
}

/** Observations about the terrain and the place, in comparison with the starts of other activities. */
export function listPlaceFindings(activity: Activity, others: readonly Activity[]): readonly Finding[] {
  return [findTerrain(activity), findElsewhere(activity, others)].filter((finding) => finding !== undefined);
}

function findTerrain(activity: Activity): Finding | undefined {
  const climb = climbPerKilometre(activity);
  if (climb === null) return undefined;
  const finding = climb >= HILLY_M_PER_KM ? 'Hilly' : climb >= ROLLING_M_PER_KM ? 'Rolling' : 'Flat';
  return { topic: 'terrain', finding, reason: `${climb} m of climb for each kilometre.` };
}

function findElsewhere({ place }: Activity, others: readonly Activity[]): Finding | undefined {
  const starts = others.flatMap((other) => other.place ?? []);
  if (place === null || starts.length === 0) return undefined;
  const nearest = Math.min(...starts.map((start) => metresBetween(place, start)));
  if (nearest < ELSEWHERE_M) return undefined;
  return {
    topic: 'place',
    finding:
      place.name === null ? 'Away from the usual places' : `Away from the usual places, in ${place.name}`,
    reason: `The nearest start of ${starts.length} other activities is ${formatKilometres(nearest)} away.`,
  };
}
