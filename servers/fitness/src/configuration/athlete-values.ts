import { lthrFromMax } from '../algorithms/thresholds/lactate-threshold-heart-rate.ts';
import { maxHeartRate } from '../algorithms/zones/max-heart-rate.ts';
import type { Athlete } from '../providers/provider.ts';
import type { FitnessConfig } from './fitness-config.ts';
import type { Configuration } from './parameters.ts';

/** Values of the body that tools compute with. */
export const ATHLETE_VALUES = ['ftp', 'lthr', 'max_hr', 'resting_hr', 'weight_kg'] as const;
export type AthleteValueName = (typeof ATHLETE_VALUES)[number];
export type AthleteValues = { readonly [TName in AthleteValueName]: number | null };

export interface AthleteValue {
  readonly name: AthleteValueName;
  readonly value: number | null;
  readonly source: AthleteValueSource | null;
}

type AthleteValueSource = 'argument' | 'fitness_config' | 'user_configuration' | 'provider' | 'estimate';

export interface AthleteSources {
  /** Values of the call. */
  readonly given?: { readonly [TName in AthleteValueName]?: number | undefined } | undefined;
  /** The fitness configuration `default` of the caller. */
  readonly config: FitnessConfig;
  readonly configuration: Configuration;
  readonly athlete?: Athlete | undefined;
  /** Milliseconds since 1970, for the age. */
  readonly now: number;
}

/** Each value with its source: the call, else the fitness configuration, the user configuration, the provider, or an estimate. */
export function listAthleteValues(sources: AthleteSources): readonly AthleteValue[] {
  const known = ATHLETE_VALUES.map((name): AthleteValue => findKnown(name, sources));
  const maximum = known.find(({ name }) => name === 'max_hr')?.value ?? estimateMaximum(sources);
  const estimates: Partial<Record<AthleteValueName, number | null>> = {
    max_hr: maximum,
    lthr: maximum === null ? null : toValue(lthrFromMax(maximum, sources.configuration.training_status)),
  };
  return known.map((entry) => {
    const estimate = estimates[entry.name] ?? null;
    if (entry.value !== null || estimate === null) return entry;
    return { ...entry, value: Math.round(estimate), source: 'estimate' };
  });
}

export function toAthleteValues(values: readonly AthleteValue[]): AthleteValues {
  return Object.fromEntries(values.map(({ name, value }) => [name, value])) as AthleteValues;
}

function findKnown(name: AthleteValueName, sources: AthleteSources): AthleteValue {
  const { given, config, configuration, athlete } = sources;
  const candidates: readonly (readonly [AthleteValueSource, number | null | undefined])[] = [
    ['argument', given?.[name]],
    ['fitness_config', config[name]],
    ['user_configuration', configuration[name]],
    ['provider', athlete && ofAthlete(athlete)[name]],
  ];
  for (const [source, value] of candidates)
    if (value !== null && value !== undefined) return { name, value, source };
  return { name, value: null, source: null };
}

function ofAthlete(athlete: Athlete): AthleteValues {
  return {
    ftp: athlete.ftp_w,
    lthr: athlete.lactate_threshold_heart_rate,
    max_hr: athlete.max_heart_rate,
    resting_hr: athlete.resting_heart_rate,
    weight_kg: athlete.weight_kg,
  };
}

function estimateMaximum({ athlete, configuration, now }: AthleteSources): number | null {
  if (athlete === undefined || athlete.birth_year === null) return null;
  const age = new Date(now).getUTCFullYear() - athlete.birth_year;
  return toValue(maxHeartRate({ age, formula: configuration.max_hr_formula, sex: athlete.sex }));
}

function toValue(computed: ReturnType<typeof maxHeartRate>): number | null {
  return computed.ok ? computed.value : null;
}
