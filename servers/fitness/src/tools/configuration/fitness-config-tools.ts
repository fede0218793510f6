import { ToolError } from 'toolwright';
import * as z from 'zod';
import { ATHLETE_VALUES } from '../../configuration/athlete-values.ts';
import {
  DEFAULT_CONFIG_NAME,
  deleteFitnessConfig,
  findFitnessConfig,
  listFitnessConfigs,
  writeFitnessConfig,
} from '../../configuration/fitness-config.ts';
import type { FitnessConfig, NamedFitnessConfig } from '../../configuration/fitness-config.ts';
import type { FitnessContext } from '../../context.ts';
import { defineFitnessTool } from '../define-tool.ts';
import type { FitnessTool } from '../define-tool.ts';
import { findConfigIssues, fitnessConfig } from './athlete-arguments.ts';

const name = z.string().max(64).regex(/\S/);
const nameOrDefault = name.default(DEFAULT_CONFIG_NAME);

const getFitnessConfig = defineFitnessTool({
  name: 'get_fitness_config',
  title: 'Zones and thresholds',
  description:
    'Returns your zones and thresholds of one name. The tools compute with those of the name "default".',
  synonyms: ['FTP', 'weight', 'saved zones', 'my zones', 'maximum heart rate'],
  effect: 'reads',
  arguments: { configuration_name: nameOrDefault },
  run: ({ input: { configuration_name }, context }) => {
    const found = findFitnessConfig(context.database, context.caller.id, configuration_name);
    if (found !== undefined) return { data: toDocument(found) };
    if (configuration_name !== DEFAULT_CONFIG_NAME) throw toUnknown(configuration_name, context);
    return {
      data: { configuration_name, updated_at: null, configuration: {} },
      notes: ['You have stored no zones or thresholds yet: set_fitness_config does.'],
    };
  },
});

const setFitnessConfig = defineFitnessTool({
  name: 'set_fitness_config',
  title: 'Store zones and thresholds',
  description:
    'Stores your zones and thresholds under a name, and returns all values of this name. Values that are not given are kept; null removes one.',
  synonyms: ['save', 'my FTP', 'weight', 'own zones', 'custom zones', 'new threshold'],
  effect: 'updates',
  arguments: { configuration: fitnessConfig, configuration_name: nameOrDefault },
  findIssues: ({ configuration }) =>
    Object.keys(configuration).length === 0
      ? [{ path: ['configuration'], message: 'give at least one value' }]
      : findConfigIssues(withoutNulls(configuration), ['configuration']),
  run: ({ input: { configuration, configuration_name }, context: { database, caller, now } }) =>
    database.write(() => {
      const stored = findFitnessConfig(database, caller.id, configuration_name)?.config ?? {};
      const config = withoutNulls({ ...stored, ...configuration });
      const [issue] = findConfigIssues(config, []);
      if (issue !== undefined)
        throw new ToolError(`${issue.message} One of them is a stored value.`, {
          suggestions: ['Set both, or remove the stored one with null.'],
        });
      const changed = { name: configuration_name, config, now: now() };
      writeFitnessConfig(database, caller.id, changed);
      return { data: toDocument({ ...changed, updated_at: new Date(changed.now).toISOString() }) };
    }),
});

const listConfigs = defineFitnessTool({
  name: 'list_fitness_configs',
  title: 'Names of zones and thresholds',
  description: 'Lists your stored zones and thresholds by name.',
  synonyms: ['saved zones', 'sets of zones', 'configurations'],
  effect: 'reads',
  hasRows: true,
  arguments: {},
  run: ({ context: { database, caller } }) => {
    const configs = listFitnessConfigs(database, caller.id);
    return { data: { total: configs.length, configurations: configs.map(toRow) } };
  },
});

const deleteConfig = defineFitnessTool({
  name: 'delete_fitness_config',
  title: 'Delete zones and thresholds',
  description: 'Deletes your zones and thresholds of one name.',
  synonyms: ['remove', 'forget', 'old zones'],
  effect: 'deletes',
  arguments: { configuration_name: name },
  run: ({ input: { configuration_name }, context }) => {
    if (!deleteFitnessConfig(context.database, context.caller.id, configuration_name))
      throw toUnknown(configuration_name, context);
    return { data: { deleted: configuration_name } };
  },
});

export const FITNESS_CONFIG_TOOLS: readonly FitnessTool[] = [
  getFitnessConfig,
  setFitnessConfig,
  listConfigs,
  deleteConfig,
];

function toDocument({ name: configuration_name, updated_at, config }: NamedFitnessConfig): object {
  return { configuration_name, updated_at, configuration: config };
}

function toRow({ name: configuration_name, updated_at, config }: NamedFitnessConfig): object {
  return {
    configuration_name,
    updated_at,
    ...Object.fromEntries(ATHLETE_VALUES.map((value) => [value, config[value] ?? null])),
    has_heart_rate_zones: config.heart_rate_zones !== undefined,
    has_power_zones: config.power_zones !== undefined,
  };
}

function withoutNulls(values: z.output<typeof fitnessConfig>): FitnessConfig {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  );
}

function toUnknown(unknown: string, { database, caller }: FitnessContext): ToolError {
  const names = listFitnessConfigs(database, caller.id).map((config) => `"${config.name}"`);
  return new ToolError(`You have no zones and thresholds of the name "${unknown}".`, {
    suggestions: [names.length === 0 ? 'Store some with set_fitness_config.' : `Use ${names.join(' or ')}.`],
  });
}
