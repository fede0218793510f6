import { ToolError } from 'toolwright';
import type { ToolContext } from 'toolwright';
import type { FitnessContext } from '../../context.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { ProviderName } from '../../providers/providers.ts';
import type { StravaProvider } from '../../providers/strava/strava-provider.ts';
import { defineFitnessTool } from '../define-tool.ts';
import type { Shown } from '../results/result.ts';
import { waitAtMost } from './wait-at-most.ts';

/** The user grants the permission in a browser. Clients give up calls after about a minute. */
const WAIT_MS = 20_000;

const NEXT = 'Then call get_connection_status.';

export const connectProvider = defineFitnessTool({
  name: 'connect_provider',
  title: 'Connect a provider',
  description:
    'Connects a provider of activity data. For Strava, the user opens an address and allows this server to read their activities; the result has the address if the client cannot show it.',
  synonyms: ['link strava', 'log in', 'authorize', 'sign in', 'sync my account'],
  effect: 'creates',
  isOpenWorld: true,
  arguments: (provider) => ({ provider: provider('activities').unwrap() }),
  run: ({ input: { provider }, context }) => connect(provider, context),
});

async function connect(provider: ProviderName, context: ToolContext<FitnessContext>): Promise<Shown> {
  const { providers, caller } = context;
  switch (provider) {
    case 'synthetic':
      return {
        data: { provider, status: 'connected' },
        notes: ['The demonstration athlete is always connected.'],
      };
    case 'files':
      if (await providers.files?.isConnected(caller.id)) return { data: { provider, status: 'connected' } };
      throw new ToolError('The files of this server belong to another user.', {
        suggestions: ['Ask the operator of this server to set FITNESS_USER to you.'],
      });
    case 'strava':
      if (providers.strava !== undefined) return connectStrava(providers.strava, context);
      throw new ProviderError(provider, 'This server has no Strava application.', {
        failure: 'not-configured',
      });
  }
}

async function connectStrava(strava: StravaProvider, context: ToolContext<FitnessContext>): Promise<Shown> {
  const user = context.caller.id;
  // A step: clients of 2026-07-28 run this function again after the question, which must not make another address.
  const { url, expires_at } = await context.step('address', async () => {
    const attempt = await strava.connect(user);
    return { url: attempt.url, expires_at: new Date(attempt.expiresAt).toISOString() };
  });
  const waiting = { provider: 'strava', status: 'waiting_for_user', expires_at };
  if (context.client.capabilities.elicitation?.url === undefined)
    return {
      data: { ...waiting, url },
      notes: [`Ask the user to open the url on the machine of this server and to allow access. ${NEXT}`],
    };
  const { action } = await context.askUrl('address', {
    message: 'Open Strava to allow this server to read your activities and your profile.',
    url,
  });
  if (action !== 'accept')
    return { data: { provider: 'strava', status: action === 'decline' ? 'declined' : 'cancelled' } };
  const attempt = strava.findAttempt(user);
  const { clock, signal } = context;
  if (attempt?.url === url && !(await waitAtMost(attempt.finished, { clock, ms: WAIT_MS, signal })))
    return { data: waiting, notes: [`The user has not allowed access yet. Wait for the user. ${NEXT}`] };
  if (await strava.isConnected(user)) return { data: { provider: 'strava', status: 'connected' } };
  throw new ProviderError('strava', 'The permission was not granted in Strava.', { failure: 'refused' });
}
