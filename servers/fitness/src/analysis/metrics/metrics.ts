import { paceOf, paceUnitOf } from '../../activities/pace.ts';
import type { Computed } from '../../algorithms/computed.ts';
import type { SportType } from '../../providers/provider.ts';
import { heartRateLoad, powerLoad } from '../load/activity-load.ts';
import type { Session } from '../session.ts';
import { decouplingOf, efficiencyFactorOf, vdotOf } from './endurance-metrics.ts';
import { banisterOf, cardiacDriftOf, edwardsOf, luciaOf, VT1_SHARE } from './heart-metrics.ts';
import {
  criticalPowerOf,
  ftpEstimateOf,
  intensityFactorOf,
  normalizedPowerOf,
  powerToWeightOf,
  variabilityIndexOf,
  workOf,
} from './power-metrics.ts';

/** A figure of one activity. */
interface Metric {
  readonly compute: (session: Session) => Computed<number>;
  readonly unit: string | ((sport: SportType) => string);
  readonly digits: number;
  readonly method: string;
}

const METRIC_PARTS = {
  tss: {
    compute: ({ activity, athlete }) => powerLoad(activity, athlete),
    unit: '',
    digits: 1,
    method: 'Hours × IF² × 100 (Coggan)',
  },
  hr_tss: {
    compute: ({ activity, athlete }) => heartRateLoad(activity, athlete),
    unit: '',
    digits: 1,
    method: 'Hours × (average heart rate / LTHR)² × 100',
  },
  trimp_banister: {
    compute: banisterOf,
    unit: '',
    digits: 1,
    method: 'Minutes by heart rate reserve and sex',
  },
  trimp_edwards: {
    compute: edwardsOf,
    unit: '',
    digits: 1,
    method: 'Minutes × 1 to 5 by % of maximum heart rate',
  },
  trimp_lucia: {
    compute: luciaOf,
    unit: '',
    digits: 1,
    method: `Minutes × 1 to 3; thresholds at ${100 * VT1_SHARE} % of LTHR and at LTHR`,
  },
  normalized_power: { compute: normalizedPowerOf, unit: 'W', digits: 1, method: 'Coggan, 30-second means' },
  intensity_factor: { compute: intensityFactorOf, unit: '', digits: 2, method: 'Normalized power / FTP' },
  variability_index: {
    compute: variabilityIndexOf,
    unit: '',
    digits: 2,
    method: 'Normalized power / average power',
  },
  power_to_weight: { compute: powerToWeightOf, unit: 'W/kg', digits: 2, method: 'Normalized power / weight' },
  work: { compute: workOf, unit: 'kJ', digits: 0, method: 'Average power × moving time' },
  pace: {
    compute: ({ activity }) => paceOf(activity),
    unit: (sport) => `s/${paceUnitOf(sport)}`,
    digits: 1,
    method: 'Moving time / distance',
  },
  efficiency_factor: {
    compute: efficiencyFactorOf,
    unit: '',
    digits: 2,
    method: 'Normalized power, or speed in m/min, / average heart rate (Friel)',
  },
  decoupling: {
    compute: decouplingOf,
    unit: '%',
    digits: 1,
    method: 'Loss of output for each heartbeat from the first to the second half (Friel)',
  },
  cardiac_drift: {
    compute: cardiacDriftOf,
    unit: '%',
    digits: 1,
    method: 'Rise of heart rate from half to half',
  },
  vdot: { compute: vdotOf, unit: 'ml/kg/min', digits: 1, method: 'Daniels and Gilbert, if it was all out' },
  ftp_estimate: { compute: ftpEstimateOf, unit: 'W', digits: 0, method: '95 % of 20 minutes, if all out' },
  critical_power: {
    compute: criticalPowerOf,
    unit: 'W',
    digits: 0,
    method: 'Best 3, 5, 10 and 20 minutes (Monod and Scherrer), if all out',
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRIC_PARTS;
export const METRICS = Object.keys(METRIC_PARTS) as [MetricName, ...MetricName[]];

export function findMetric(name: MetricName): Metric {
  return METRIC_PARTS[name];
}
