import * as z from 'zod';
import {
  changeParameters,
  findUserConfiguration,
  toConfiguration,
} from '../../configuration/user-configuration.ts';
import { findConflicts, findParameterIssues } from '../../configuration/validate-parameters.ts';
import { defineFitnessTool } from '../define-tool.ts';

export const validateConfiguration = defineFitnessTool({
  name: 'validate_configuration',
  title: 'Check parameters',
  description:
    'Checks parameters without storing them: names, types, bounds, and whether they contradict each other or your stored ones.',
  synonyms: ['settings', 'plausible', 'realistic values', 'sanity check', 'resting pulse'],
  effect: 'reads',
  hasRows: true,
  arguments: {
    parameters: z
      .record(z.string().max(100), z.union([z.number(), z.string().max(100), z.boolean(), z.null()]))
      .describe('By name, as in get_configuration_catalog'),
  },
  run: ({ input, context: { database, caller } }) => {
    const issues = findParameterIssues(input.parameters);
    const valid = Object.entries(input.parameters).filter(([name]) =>
      issues.every(({ parameter }) => parameter !== name),
    );
    const { profile, parameters } = findUserConfiguration(database, caller.id);
    const changed = changeParameters(parameters, Object.fromEntries(valid));
    const all = [...issues, ...findConflicts(toConfiguration({ profile, parameters: changed }))];
    return { data: { valid: all.length === 0, checked: Object.keys(input.parameters).length, issues: all } };
  },
});
