import { computed, refused } from '../../algorithms/computed.ts';
import type { Computed } from '../../algorithms/computed.ts';
import { criticalPower } from '../../algorithms/power/critical-power.ts';
import { intensityFactor, variabilityIndex } from '../../algorithms/power/intensity-factor.ts';
import { powerCurve } from '../../algorithms/power/power-curve.ts';
import { ftpFromTest } from '../../algorithms/thresholds/ftp-tests.ts';
import { refuseOtherSports } from '../cycling.ts';
import { secondsOfSession } from '../session.ts';
import type { Session } from '../session.ts';

const NO_POWER = 'The activity has no power data.';
const TWENTY_MINUTES_S = 1200;
/** Durations that critical power is computed from: 2 to 30 minutes are its domain. */
const CRITICAL_DURATIONS_S = [180, 300, 600, 1200];

export function normalizedPowerOf({ activity: { normalized_power_w: power } }: Session): Computed<number> {
  return power === null ? refused(NO_POWER) : computed(power);
}

export function intensityFactorOf(session: Session): Computed<number> {
  const other = refuseOtherSports(session.activity);
  if (other !== undefined) return other;
  const power = normalizedPowerOf(session);
  if (!power.ok) return power;
  const figures = session.athlete.require('ftp');
  return figures.ok ? intensityFactor(power.value, figures.value.ftp) : figures;
}

export function variabilityIndexOf(session: Session): Computed<number> {
  const power = normalizedPowerOf(session);
  if (!power.ok) return power;
  const { average_power_w: average } = session.activity;
  return average === null ? refused(NO_POWER) : variabilityIndex(power.value, average);
}

export function powerToWeightOf(session: Session): Computed<number> {
  const power = normalizedPowerOf(session);
  if (!power.ok) return power;
  const figures = session.athlete.require('weight_kg');
  return figures.ok ? computed(power.value / figures.value.weight_kg) : figures;
}

/** Kilojoules. */
export function workOf({ activity: { average_power_w: power, moving_time_s } }: Session): Computed<number> {
  return power === null ? refused(NO_POWER) : computed((power * moving_time_s) / 1000);
}

export function ftpEstimateOf(session: Session): Computed<number> {
  const other = refuseOtherSports(session.activity);
  if (other !== undefined) return other;
  const samples = secondsOfSession(session, 'power_w');
  if (!samples.ok) return samples;
  const curve = powerCurve(samples.value, [TWENTY_MINUTES_S]);
  if (!curve.ok) return curve;
  const [best] = curve.value;
  return best === undefined
    ? refused('The activity is shorter than 20 minutes.')
    : ftpFromTest('twenty_minutes', best.power_w);
}

export function criticalPowerOf(session: Session): Computed<number> {
  const samples = secondsOfSession(session, 'power_w');
  if (!samples.ok) return samples;
  const curve = powerCurve(samples.value, CRITICAL_DURATIONS_S);
  if (!curve.ok) return curve;
  const power = criticalPower(curve.value);
  return power.ok ? computed(power.value.critical_power_w) : power;
}
