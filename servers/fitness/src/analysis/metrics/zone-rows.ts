import type { Computed } from '../../algorithms/computed.ts';
import { zoneDistribution } from '../../algorithms/zones/zone-distribution.ts';
import type { Zone } from '../../algorithms/zones/zone.ts';
import { rounded } from '../../tools/results/rounded.ts';
import { refuseOtherSports } from '../cycling.ts';
import { secondsOfSession } from '../session.ts';
import type { Session } from '../session.ts';

/** Time in a zone of heart rate (bpm) or power (W). */
export interface ZoneRow {
  /** 0 is the time below the first zone. */
  readonly zone: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly seconds: number;
  readonly percent: number;
}

export function heartRateZoneRows(session: Session): Computed<readonly ZoneRow[]> {
  return toRows(secondsOfSession(session, 'heart_rate'), session.athlete.heartRateZones());
}

export function powerZoneRows(session: Session): Computed<readonly ZoneRow[]> {
  const other = refuseOtherSports(session.activity);
  if (other !== undefined) return other;
  return toRows(secondsOfSession(session, 'power_w'), session.athlete.powerZones());
}

function toRows(
  samples: Computed<readonly number[]>,
  zones: Computed<readonly Zone[]>,
): Computed<readonly ZoneRow[]> {
  if (!samples.ok) return samples;
  if (!zones.ok) return zones;
  const times = zoneDistribution(samples.value, zones.value);
  if (!times.ok) return times;
  return {
    ok: true,
    value: times.value
      .filter(({ zone }) => zone > 0 || hasBelow(zones.value))
      .map(({ zone, seconds, share }) => {
        const found = zones.value.find((each) => each.zone === zone);
        return {
          zone,
          min: found === undefined ? null : rounded(found.min, 0),
          max: toMaximum(found, zones.value),
          seconds,
          percent: rounded(100 * share),
        };
      }),
  };
}

/** Nothing is below a zone that begins at 0. */
function hasBelow([first]: readonly Zone[]): boolean {
  return (first?.min ?? 0) > 0;
}

/** Values above the last zone belong to it. Zone 0 ends where the first one begins. */
function toMaximum(zone: Zone | undefined, [first]: readonly Zone[]): number | null {
  const max = zone === undefined ? first?.min : zone.max;
  return max === undefined || max === null ? null : rounded(max, 0);
}
