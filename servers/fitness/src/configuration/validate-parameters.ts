import { findHeartRateConflict } from '../algorithms/physiological-limits.ts';
import { PARAMETER_NAMES, PARAMETERS } from './parameters.ts';
import type { Configuration } from './parameters.ts';

export interface ParameterIssue {
  readonly parameter: string;
  readonly message: string;
}

/** Names that are not in the catalog, and values out of their bounds. Null is valid: it resets a parameter. */
export function findParameterIssues(given: Readonly<Record<string, unknown>>): readonly ParameterIssue[] {
  return Object.entries(given).flatMap(([parameter, value]) => {
    const message = findProblem(parameter, value);
    return message === undefined ? [] : [{ parameter, message }];
  });
}

function findProblem(name: string, value: unknown): string | undefined {
  const known = PARAMETER_NAMES.find((each) => each === name);
  if (known === undefined) return `Unknown parameter: use ${PARAMETER_NAMES.join(', ')}.`;
  if (value === null) return undefined;
  const parameter = PARAMETERS[known];
  if ('choices' in parameter) {
    if (parameter.choices.some((choice) => choice === value)) return undefined;
    return `Invalid value ${JSON.stringify(value)}: use ${parameter.choices.join(', ')}.`;
  }
  const { min, max, unit, isInteger = false } = parameter;
  const isNumber = typeof value === 'number' && (!isInteger || Number.isInteger(value));
  if (isNumber && value >= min && value <= max) return undefined;
  return `Invalid value ${JSON.stringify(value)}: use ${isInteger ? 'an integer' : 'a number'} from ${min} to ${max} ${unit}.`;
}

/** Values that contradict each other: resting < threshold < maximum heart rate, and acute below chronic load. */
export function findConflicts(values: Partial<Configuration>): readonly ParameterIssue[] {
  const issues: ParameterIssue[] = [];
  const { resting_hr, lthr, max_hr, ctl_days, atl_days } = values;
  const conflict = findHeartRateConflict({
    resting_hr: resting_hr ?? undefined,
    lthr: lthr ?? undefined,
    max_hr: max_hr ?? undefined,
  });
  if (conflict !== undefined) issues.push({ parameter: conflict.key, message: conflict.message });
  if (atl_days !== undefined && ctl_days !== undefined && atl_days >= ctl_days)
    issues.push({
      parameter: 'atl_days',
      message: `The time constant of acute load (${atl_days} days) must be below that of chronic load (${ctl_days} days).`,
    });
  return issues;
}
