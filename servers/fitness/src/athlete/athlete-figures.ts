import { heartRateZones } from '../algorithms/zones/heart-rate-zones.ts';
import { powerZones } from '../algorithms/zones/power-zones.ts';
import type { Zone } from '../algorithms/zones/zone.ts';
import { computed, refused } from '../algorithms/computed.ts';
import type { Computed } from '../algorithms/computed.ts';
import { DAY_S } from '../calendar/days.ts';
import { listAthleteValues } from '../configuration/athlete-values.ts';
import type { AthleteSources, AthleteValue, AthleteValueName } from '../configuration/athlete-values.ts';
import { readFitnessConfig, toZones } from '../configuration/fitness-config.ts';
import type { FitnessConfig } from '../configuration/fitness-config.ts';
import type { Configuration } from '../configuration/parameters.ts';
import { readConfiguration } from '../configuration/user-configuration.ts';
import type { FitnessContext } from '../context.ts';
import type { Athlete } from '../providers/provider.ts';
import type { Source } from '../providers/source.ts';
import { estimateFromActivities, nameFormulas } from './estimates.ts';
import type { Estimates } from './estimates.ts';

/** A figure that a result was computed with. */
export interface FigureRow {
  readonly figure: AthleteValueName;
  readonly value: number | null;
  readonly unit: string;
  readonly source: AthleteValue['source'];
  /** Of an estimate; else null. */
  readonly formula: string | null;
}

const UNITS: Readonly<Record<AthleteValueName, string>> = {
  ftp: 'W',
  lthr: 'bpm',
  max_hr: 'bpm',
  resting_hr: 'bpm',
  weight_kg: 'kg',
};

/** The figures of an athlete that analyses compute with, with their origin. */
export class AthleteFigures {
  readonly configuration: Configuration;
  readonly sex: Athlete['sex'];
  readonly #config: FitnessConfig;
  readonly #rows: ReadonlyMap<AthleteValueName, FigureRow>;

  constructor(sources: AthleteSources, rows: readonly FigureRow[]) {
    this.configuration = sources.configuration;
    this.sex = sources.athlete?.sex ?? null;
    this.#config = sources.config;
    this.#rows = new Map(rows.map((row) => [row.figure, row]));
  }

  value(name: AthleteValueName): number | null {
    return this.#rows.get(name)?.value ?? null;
  }

  /** The rows of some figures, for the result. */
  list(...names: readonly AthleteValueName[]): readonly FigureRow[] {
    return names.flatMap((name) => this.#rows.get(name) ?? []);
  }

  /** Refused with a sentence that names the missing figures. */
  require<const TName extends AthleteValueName>(
    ...names: readonly TName[]
  ): Computed<Readonly<Record<TName, number>>> {
    const missing = names.filter((name) => this.value(name) === null);
    if (missing.length > 0)
      return refused(`The athlete's ${missing.join(' and ')} is not known: set it with set_fitness_config.`);
    return computed(
      Object.fromEntries(names.map((name) => [name, this.value(name)])) as Record<TName, number>,
    );
  }

  /** Those that the user has set, else by Karvonen. */
  heartRateZones(): Computed<readonly Zone[]> {
    if (this.#config.heart_rate_zones !== undefined) return computed(toZones(this.#config.heart_rate_zones));
    const figures = this.require('resting_hr', 'max_hr');
    return figures.ok ? heartRateZones(figures.value.resting_hr, figures.value.max_hr) : figures;
  }

  /** Those that the user has set, else by Coggan. */
  powerZones(): Computed<readonly Zone[]> {
    if (this.#config.power_zones !== undefined) return computed(toZones(this.#config.power_zones));
    const figures = this.require('ftp');
    return figures.ok ? powerZones(figures.value.ftp) : figures;
  }
}

/**
 * The figures of the athlete of a source: of the caller's configuration, else of the provider, else estimates. `given` are values of the
 * call, which take precedence.
 */
export async function athleteFigures(
  { database, caller, now }: Pick<FitnessContext, 'database' | 'caller' | 'now'>,
  source: Source,
  given?: AthleteSources['given'],
): Promise<AthleteFigures> {
  const sources: AthleteSources = {
    given,
    config: readFitnessConfig(database, caller.id),
    configuration: readConfiguration(database, caller.id),
    athlete: source.has('athlete') ? await source.findAthlete() : undefined,
    now: now(),
  };
  const values = listAthleteValues(sources);
  const estimates = await findEstimates(values, sources, source);
  return new AthleteFigures(
    sources,
    values.map((value) => toRow(value, estimates)),
  );
}

/** Formulas of the estimates, and estimates from activities of values that are still missing. */
async function findEstimates(
  values: readonly AthleteValue[],
  { configuration, now }: AthleteSources,
  source: Source,
): Promise<Estimates> {
  const named = nameFormulas(values, configuration);
  const isMissing = (name: AthleteValueName): boolean =>
    values.some((value) => value.name === name && value.value === null);
  if (!isMissing('ftp') && !isMissing('max_hr')) return named;
  // A year of summaries; only for athletes of whom the provider knows little.
  const year = await source.listActivities({ after: Math.max(0, Math.floor(now / 1000) - 365 * DAY_S) });
  return { ...estimateFromActivities(year, configuration, now), ...named };
}

function toRow({ name, value, source }: AthleteValue, estimates: Estimates): FigureRow {
  const row = { figure: name, unit: UNITS[name] };
  if (value !== null && source !== 'estimate') return { ...row, value, source, formula: null };
  const estimate = estimates[name];
  if (estimate === undefined) return { ...row, value: null, source: null, formula: null };
  return { ...row, value: estimate.value, source: 'estimate', formula: estimate.formula };
}
