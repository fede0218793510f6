import * as z from 'zod';
import { ToolError } from 'toolwright';
import {
  changeParameters,
  findUserConfiguration,
  listEffectiveParameters,
  toConfiguration,
  writeUserConfiguration,
} from '../../configuration/user-configuration.ts';
import type { UserConfiguration } from '../../configuration/user-configuration.ts';
import { PROFILE_NAMES } from '../../configuration/profiles.ts';
import { findConflicts } from '../../configuration/validate-parameters.ts';
import { defineFitnessTool } from '../define-tool.ts';
import type { Shown } from '../results/result.ts';
import { parameterChanges } from './parameter-arguments.ts';

function show(configuration: UserConfiguration): Shown {
  const { profile, updated_at } = configuration;
  return { data: { profile, updated_at, parameters: listEffectiveParameters(configuration) } };
}

export const getUserConfiguration = defineFitnessTool({
  name: 'get_user_configuration',
  title: 'Your parameters',
  description:
    'Returns your profile and the value of every parameter, with its source: your own change, the profile or the default.',
  synonyms: ['my settings', 'current settings', 'preferences', 'options'],
  effect: 'reads',
  hasRows: true,
  arguments: {},
  run: ({ context }) => show(findUserConfiguration(context.database, context.caller.id)),
});

export const updateUserConfiguration = defineFitnessTool({
  name: 'update_user_configuration',
  title: 'Change your parameters',
  description:
    'Changes your profile, your parameters or both. Parameters take precedence over the profile; null resets one. Parameters that are not given are kept.',
  synonyms: ['settings', 'preferences', 'switch preset', 'set maximum heart rate'],
  effect: 'updates',
  hasRows: true,
  arguments: {
    profile: z.enum(PROFILE_NAMES).optional(),
    parameters: parameterChanges.optional(),
  },
  findIssues: ({ profile, parameters = {} }) => {
    if (profile === undefined && Object.keys(parameters).length === 0)
      return [{ path: [], message: 'give a profile, parameters or both' }];
    return findConflicts(changeParameters({}, parameters)).map(({ parameter, message }) => ({
      path: ['parameters', parameter],
      message,
    }));
  },
  run: ({ input, context: { database, caller, now } }) =>
    database.write(() => {
      const stored = findUserConfiguration(database, caller.id);
      const profile = input.profile ?? stored.profile;
      const parameters = changeParameters(stored.parameters, input.parameters ?? {});
      const [conflict] = findConflicts(toConfiguration({ profile, parameters }));
      if (conflict !== undefined)
        throw new ToolError(`${conflict.message} One of them is a stored value.`, {
          suggestions: ['Change both, or reset the stored one with null.'],
        });
      writeUserConfiguration(database, caller.id, { profile, parameters, now: now() });
      return show(findUserConfiguration(database, caller.id));
    }),
});
