import type { Configuration } from './parameters.ts';

export const PROFILE_NAMES = ['research', 'elite', 'recreational', 'beginner', 'medical'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** The profile of a user who has chosen none. It changes no default. */
export const DEFAULT_PROFILE: ProfileName = 'recreational';

export interface Profile {
  readonly description: string;
  /** Values that differ from the defaults of the parameters. */
  readonly values: Partial<Configuration>;
}

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  research: {
    description:
      'Values of published studies: load with the 45 and 15 days of Banister and others 1975, maximum heart rate by the HUNT study (Nes and others 2013)',
    values: { ctl_days: 45, atl_days: 15, max_hr_formula: 'nes' },
  },
  elite: {
    description: 'Competitive athletes, whose lactate threshold is nearer to the maximum heart rate',
    values: { training_status: 'well_trained' },
  },
  recreational: { description: 'Regular training; the defaults of all parameters', values: {} },
  beginner: {
    description:
      'First months of training: a lower threshold, and nothing above vigorous intensity, which ends at 89 % of heart rate reserve (ACSM)',
    values: { training_status: 'untrained', max_intensity_percent: 89 },
  },
  medical: {
    description:
      'Training after or with an illness: nothing above 80 % of heart rate reserve, the limit of cardiac rehabilitation (ACSM). Medical advice comes first',
    values: { training_status: 'untrained', max_intensity_percent: 80 },
  },
};
