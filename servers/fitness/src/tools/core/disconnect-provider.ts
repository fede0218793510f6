import { ToolError } from 'toolwright';
import type { FitnessContext } from '../../context.ts';
import type { ProviderName } from '../../providers/providers.ts';
import { defineFitnessTool } from '../define-tool.ts';
import type { Shown } from '../results/result.ts';

export const disconnectProvider = defineFitnessTool({
  name: 'disconnect_provider',
  title: 'Disconnect a provider',
  description:
    'Disconnects a provider: revokes the permission of this server at Strava, and deletes your tokens.',
  synonyms: ['unlink strava', 'log out', 'revoke access', 'remove account'],
  effect: 'deletes',
  isOpenWorld: true,
  arguments: (provider) => ({ provider: provider('activities').unwrap() }),
  run: ({ input: { provider }, context }) => disconnect(provider, context),
});

async function disconnect(
  provider: ProviderName,
  { providers: { strava }, caller }: Pick<FitnessContext, 'providers' | 'caller'>,
): Promise<Shown> {
  if (provider !== 'strava' || strava === undefined)
    throw new ToolError(`The provider ${provider} cannot be disconnected.`, {
      suggestions: [
        provider === 'synthetic'
          ? 'Name another provider in your calls.'
          : 'Ask the operator of this server to remove FITNESS_FILES.',
      ],
    });
  const { wasConnected, isRevoked } = await strava.disconnect(caller.id);
  return {
    data: { provider, status: 'not_connected', was_connected: wasConnected, permission_revoked: isRevoked },
    notes:
      wasConnected && !isRevoked
        ? [
            'Your tokens are deleted, but Strava could not be told. Remove this application at https://www.strava.com/settings/apps.',
          ]
        : [],
  };
}
