import { DEFAULTS, PARAMETER_NAMES, PARAMETERS } from '../../configuration/parameters.ts';
import { DEFAULT_PROFILE, PROFILE_NAMES, PROFILES } from '../../configuration/profiles.ts';
import { defineFitnessTool } from '../define-tool.ts';

/** One row of the catalog. All rows have the same members, so that they are a table. */
function toRow(name: (typeof PARAMETER_NAMES)[number]): object {
  const parameter = PARAMETERS[name];
  const numbers = 'choices' in parameter ? undefined : parameter;
  const choices = 'choices' in parameter ? parameter.choices : undefined;
  return {
    parameter: name,
    category: parameter.category,
    type: choices === undefined ? (numbers?.isInteger === true ? 'integer' : 'number') : 'choice',
    unit: numbers?.unit ?? null,
    min: numbers?.min ?? null,
    max: numbers?.max ?? null,
    choices: choices?.join(', ') ?? null,
    default: DEFAULTS[name],
    description: parameter.description,
  };
}

export const getConfigurationCatalog = defineFitnessTool({
  name: 'get_configuration_catalog',
  title: 'Parameters',
  description:
    'Lists the parameters of update_user_configuration with unit, bounds, choices and default. A default of null is a value of the body that is not set.',
  synonyms: ['settings', 'options', 'preferences', 'allowed values', 'limits'],
  effect: 'reads',
  hasRows: true,
  arguments: {},
  run: () => ({ data: { parameters: PARAMETER_NAMES.map(toRow) } }),
});

export const getConfigurationProfiles = defineFitnessTool({
  name: 'get_configuration_profiles',
  title: 'Profiles',
  description: 'Lists the profiles and the parameters that each of them changes from its default.',
  synonyms: ['presets', 'templates', 'athlete level', 'beginner', 'elite'],
  effect: 'reads',
  hasRows: true,
  arguments: {},
  run: () => ({
    data: {
      default_profile: DEFAULT_PROFILE,
      profiles: PROFILE_NAMES.map((profile) => ({ profile, description: PROFILES[profile].description })),
      values: PROFILE_NAMES.flatMap((profile) =>
        PARAMETER_NAMES.filter((parameter) => parameter in PROFILES[profile].values).map((parameter) => ({
          profile,
          parameter,
          value: PROFILES[profile].values[parameter],
          default: DEFAULTS[parameter],
        })),
      ),
    },
  }),
});
