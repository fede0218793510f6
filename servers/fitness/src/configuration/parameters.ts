import { PHYSIOLOGICAL_LIMITS } from '../algorithms/physiological-limits.ts';
import type { PhysiologicalQuantity } from '../algorithms/physiological-limits.ts';
import type { LoadSmoothing } from '../algorithms/load/training-load.ts';
import type { MaxHeartRateFormula } from '../algorithms/zones/max-heart-rate.ts';

/** The parameters of a user. Null is a value of the body that is not set. */
export interface Configuration {
  readonly max_hr: number | null;
  readonly resting_hr: number | null;
  readonly lthr: number | null;
  readonly ftp: number | null;
  readonly vo2_max: number | null;
  readonly weight_kg: number | null;
  readonly max_hr_formula: MaxHeartRateFormula;
  readonly training_status: 'untrained' | 'trained' | 'well_trained';
  readonly bmr_formula: 'mifflin_st_jeor' | 'harris_benedict';
  readonly ctl_days: number;
  readonly atl_days: number;
  readonly load_smoothing: LoadSmoothing;
  readonly max_intensity_percent: number;
}

export type ParameterName = keyof Configuration;

/** Parameters by their names. Null resets a parameter to the value of the profile. */
export type ParameterChanges = {
  readonly [TName in ParameterName]?: Configuration[TName] | null | undefined;
};

interface ParameterText {
  readonly category: 'body' | 'estimates' | 'training_load' | 'safety';
  readonly description: string;
}

export interface NumberParameter extends ParameterText {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  readonly isInteger?: boolean;
}

export interface ChoiceParameter extends ParameterText {
  readonly choices: readonly [string, ...string[]];
}

function ofBody(quantity: PhysiologicalQuantity, description: string): NumberParameter {
  const { min, max, unit } = PHYSIOLOGICAL_LIMITS[quantity];
  return { category: 'body', min, max, unit, description };
}

/** All parameters, in the order of the catalog. */
export const PARAMETERS: Readonly<Record<ParameterName, NumberParameter | ChoiceParameter>> = {
  max_hr: ofBody('max_hr', 'Maximum heart rate'),
  resting_hr: ofBody('resting_hr', 'Resting heart rate'),
  lthr: ofBody('lthr', 'Heart rate at the lactate threshold'),
  ftp: ofBody('ftp', 'Functional threshold power'),
  vo2_max: ofBody('vo2_max', 'Maximum oxygen uptake, to pass to calculate_personalized_zones'),
  weight_kg: ofBody('weight_kg', 'Body weight'),
  max_hr_formula: {
    category: 'estimates',
    choices: ['tanaka', 'fox', 'nes', 'gulati'],
    description: 'Estimates an unknown maximum heart rate from age; gulati is for women from 35 years',
  },
  training_status: {
    category: 'estimates',
    choices: ['untrained', 'trained', 'well_trained'],
    description: 'Estimates an unknown threshold heart rate as 85, 88 or 91 % of the maximum',
  },
  bmr_formula: {
    category: 'estimates',
    choices: ['mifflin_st_jeor', 'harris_benedict'],
    description: 'Estimates resting energy',
  },
  ctl_days: {
    category: 'training_load',
    min: 7,
    max: 100,
    unit: 'days',
    isInteger: true,
    description: 'Time constant of chronic load (fitness)',
  },
  atl_days: {
    category: 'training_load',
    min: 1,
    max: 30,
    unit: 'days',
    isInteger: true,
    description: 'Time constant of acute load (fatigue); less than ctl_days',
  },
  load_smoothing: {
    category: 'training_load',
    choices: ['time_constant', 'span'],
    description: 'Weight of a day in the load: 1 − e^(−1/N) or 2 / (N + 1)',
  },
  max_intensity_percent: {
    category: 'safety',
    min: 40,
    max: 100,
    unit: '%',
    description:
      'Highest intensity of training, in percent of heart rate reserve; personalized zones mark those above it',
  },
};

export const PARAMETER_NAMES = Object.keys(PARAMETERS) as readonly ParameterName[];

/** The values without a profile and without changes. */
export const DEFAULTS: Configuration = {
  max_hr: null,
  resting_hr: null,
  lthr: null,
  ftp: null,
  vo2_max: null,
  weight_kg: null,
  max_hr_formula: 'tanaka',
  training_status: 'trained',
  bmr_formula: 'mifflin_st_jeor',
  ctl_days: 42,
  atl_days: 7,
  load_smoothing: 'time_constant',
  max_intensity_percent: 100,
};
