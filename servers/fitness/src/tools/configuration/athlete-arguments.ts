import * as z from 'zod';
import { findHeartRateConflict, PHYSIOLOGICAL_LIMITS } from '../../algorithms/physiological-limits.ts';
import type { PhysiologicalQuantity } from '../../algorithms/physiological-limits.ts';
import { ATHLETE_VALUES } from '../../configuration/athlete-values.ts';
import type { AthleteValueName } from '../../configuration/athlete-values.ts';
import { ZONE_KEYS } from '../../configuration/fitness-config.ts';
import type { FitnessConfig, ZoneSet } from '../../configuration/fitness-config.ts';
import type { ArgumentIssue } from '../define-tool.ts';

/** A number within the limits of the body. */
export function ofBody(quantity: PhysiologicalQuantity): z.ZodNumber {
  const { min, max, unit } = PHYSIOLOGICAL_LIMITS[quantity];
  return z.number().min(min).max(max).describe(unit);
}

type OfEach<TName extends string, TSchema extends z.ZodType> = { [TKey in TName]: TSchema };

function ofEach<TName extends string, TSchema extends z.ZodType>(
  names: readonly TName[],
  toSchema: (name: TName) => TSchema,
): OfEach<TName, TSchema> {
  return Object.fromEntries(names.map((name) => [name, toSchema(name)])) as OfEach<TName, TSchema>;
}

/** The argument `user_config`: values that replace the stored ones in one call. */
export const userConfig: z.ZodOptional<z.ZodObject<OfEach<AthleteValueName, z.ZodOptional<z.ZodNumber>>>> = z
  .object(ofEach(ATHLETE_VALUES, (name) => ofBody(name).optional()))
  .optional()
  .describe('Instead of the stored values of the athlete');

function zoneSet(max: number, unit: string): z.ZodType<ZoneSet> {
  const end = z.number().min(0).max(max);
  return z
    .object(ofEach(ZONE_KEYS, () => z.object({ min: end, max: end })))
    .describe(`${unit}; max is exclusive`);
}

/** Zones and values of a fitness configuration; null removes one. */
export const fitnessConfig = z.object({
  heart_rate_zones: zoneSet(250, 'bpm').nullable().optional(),
  power_zones: zoneSet(3000, 'W').nullable().optional(),
  ...ofEach(ATHLETE_VALUES, (name) => ofBody(name).nullable().optional()),
});

/** Values that contradict each other, and zones that are not in ascending order. */
export function findConfigIssues(config: FitnessConfig, path: readonly string[]): readonly ArgumentIssue[] {
  const conflict = findHeartRateConflict(config);
  const order = conflict === undefined ? [] : [{ path: [...path, conflict.key], message: conflict.message }];
  const sets = (['heart_rate_zones', 'power_zones'] as const).flatMap((name) => {
    const set = config[name];
    return set === undefined ? [] : findZoneIssues(set, [...path, name]);
  });
  return [...order, ...sets];
}

function findZoneIssues(set: ZoneSet, path: readonly string[]): readonly ArgumentIssue[] {
  return ZONE_KEYS.flatMap((key, index) => {
    const { min, max } = set[key];
    const below = ZONE_KEYS[index - 1];
    const issues: ArgumentIssue[] = [];
    if (min >= max)
      issues.push({ path: [...path, key, 'max'], message: `must be above min, which is ${min}` });
    if (below !== undefined && min < set[below].max)
      issues.push({
        path: [...path, key, 'min'],
        message: `must not be below the max of ${below}, which is ${set[below].max}`,
      });
    return issues;
  });
}
