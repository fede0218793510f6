import { computed, refused } from '../../algorithms/computed.ts';
import type { Computed } from '../../algorithms/computed.ts';
import { vdot } from '../../algorithms/running/vdot.ts';
import { aerobicDecoupling } from '../../algorithms/streams/decoupling.ts';
import { efficiencyFactor } from '../../algorithms/streams/efficiency-factor.ts';
import { pairedSeconds } from '../../algorithms/streams/seconds.ts';
import { findSamples } from '../session.ts';
import type { Session } from '../session.ts';

/** By power if there is power, else by speed. */
export function efficiencyFactorOf({ activity }: Pick<Session, 'activity'>): Computed<number> {
  const { average_heart_rate: heart, normalized_power_w: power, distance_m, moving_time_s } = activity;
  if (heart === null) return refused('The activity has no heart rate data.');
  if (power !== null) return efficiencyFactor(power, heart);
  if (distance_m === null || moving_time_s <= 0)
    return refused('The activity has neither power nor a distance.');
  return efficiencyFactor((60 * distance_m) / moving_time_s, heart);
}

export function decouplingOf(session: Session): Computed<number> {
  const heart = findSamples(session, 'heart_rate');
  const power = findSamples(session, 'power_w');
  const output = power ?? findSamples(session, 'speed_mps');
  if (heart === undefined || output === undefined)
    return refused('The activity has no samples of heart rate with power or speed.');
  const { first, second } = pairedSeconds(session.streams?.time_s ?? [], output, heart);
  const kind = power === undefined ? 'speed' : 'power';
  const halves = aerobicDecoupling({ kind, output: first, heart_rate: second });
  return halves.ok ? computed(halves.value.decoupling_percent) : halves;
}

export function vdotOf({ activity }: Session): Computed<number> {
  const { sport_type, distance_m, moving_time_s } = activity;
  if (sport_type !== 'run') return refused('VDOT is for runs.');
  return distance_m === null ? refused('The activity has no distance.') : vdot(distance_m, moving_time_s);
}
