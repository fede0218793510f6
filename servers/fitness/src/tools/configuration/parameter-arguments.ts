import * as z from 'zod';
import { PARAMETER_NAMES, PARAMETERS } from '../../configuration/parameters.ts';
import type { ParameterChanges } from '../../configuration/parameters.ts';

function toSchema(name: (typeof PARAMETER_NAMES)[number]): z.ZodType {
  const parameter = PARAMETERS[name];
  if ('choices' in parameter) return z.enum(parameter.choices);
  const { min, max, unit, isInteger = false } = parameter;
  return (isInteger ? z.int() : z.number()).min(min).max(max).describe(unit);
}

/** The parameters of the catalog, all optional; null resets one. */
export const parameterChanges = z.object(
  Object.fromEntries(PARAMETER_NAMES.map((name) => [name, toSchema(name).nullable().optional()])),
) as z.ZodType<ParameterChanges>;
