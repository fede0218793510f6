import { refused } from '../algorithms/computed.ts';
import type { Computed } from '../algorithms/computed.ts';
import { speedAtOxygenCost } from '../algorithms/running/oxygen-cost.ts';
import { trainingPaces } from '../algorithms/running/training-paces.ts';
import { formatPace } from '../algorithms/units/pace.ts';
import { heartRateZones, reserveHeartRate } from '../algorithms/zones/heart-rate-zones.ts';

export interface ZonesInput {
  readonly vo2_max: number;
  readonly resting_hr: number;
  readonly max_hr: number;
  /** Share of VO2max. */
  readonly lactate_threshold: number;
  /** Factor of VO2max for running: above 1 for a good economy. */
  readonly sport_efficiency: number;
  /** Highest intensity in percent of heart rate reserve. */
  readonly max_intensity_percent: number;
}

export interface HeartRateZone {
  readonly zone: number;
  readonly min_bpm: number;
  readonly max_bpm: number;
  /** False for a zone that begins at or above the highest intensity. */
  readonly allowed: boolean;
}

export interface PaceRow {
  readonly name: string;
  readonly slowest: string;
  readonly fastest: string;
}

/** Zones by Karvonen, at 50, 60, 70, 80 and 90 % of heart rate reserve. */
export function toHeartRateZones(input: ZonesInput): Computed<readonly HeartRateZone[]> {
  const { resting_hr, max_hr, max_intensity_percent } = input;
  const zones = heartRateZones(resting_hr, max_hr);
  const highest = reserveHeartRate(resting_hr, max_hr, max_intensity_percent / 100);
  if (!zones.ok) return zones;
  if (!highest.ok) return highest;
  return {
    ok: true,
    value: zones.value.map(({ zone, min, max }) => ({
      zone,
      min_bpm: Math.round(min),
      max_bpm: Math.round(max ?? max_hr),
      allowed: max_intensity_percent === 100 || min < highest.value,
    })),
  };
}

/** Heart rate at the threshold: a share of VO2max is about the same share of heart rate reserve (Swain and Leutholtz 1997). */
export function toThresholdHeartRate({
  resting_hr,
  max_hr,
  lactate_threshold,
}: ZonesInput): Computed<number> {
  const rate = reserveHeartRate(resting_hr, max_hr, lactate_threshold);
  return rate.ok ? { ok: true, value: Math.round(rate.value) } : rate;
}

/** Paces of running by Daniels, and the pace at the lactate threshold. */
export function toPaces({
  vo2_max,
  sport_efficiency,
  lactate_threshold,
}: ZonesInput): Computed<readonly PaceRow[]> {
  const vdot = vo2_max * sport_efficiency;
  const paces = trainingPaces(vdot);
  if (!paces.ok) return refused(`${paces.reason} It is vo2_max · sport_efficiency.`);
  const threshold = speedAtOxygenCost(lactate_threshold * vdot) / 60;
  const rows = paces.value.map(({ name, slowest_mps, fastest_mps }) => toRow(name, slowest_mps, fastest_mps));
  return { ok: true, value: [...rows, toRow('lactate_threshold', threshold, threshold)] };
}

function toRow(name: string, slowest_mps: number, fastest_mps: number): PaceRow {
  return {
    name,
    slowest: formatPace(1000 / slowest_mps, 'km'),
    fastest: formatPace(1000 / fastest_mps, 'km'),
  };
}
