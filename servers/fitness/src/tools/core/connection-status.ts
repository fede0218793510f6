import { listConnections, listFileProblems } from '../../providers/connections.ts';
import { defineFitnessTool } from '../define-tool.ts';

const MAX_PROBLEMS = 20;

export const getConnectionStatus = defineFitnessTool({
  name: 'get_connection_status',
  title: 'Connections',
  description:
    'Lists the providers of activity data with your connection to each, and the one that calls without the argument provider use.',
  synonyms: ['is strava connected', 'which data sources', 'linked accounts'],
  effect: 'reads',
  hasRows: true,
  arguments: {},
  run: async ({ context: { providers, caller } }) => {
    const rows = await listConnections(providers, caller);
    const problems = await listFileProblems(providers, caller);
    const quota = rows.some(({ provider, status }) => provider === 'strava' && status === 'connected')
      ? providers.strava?.remainingRequests()
      : undefined;
    return {
      data: {
        providers: rows,
        ...(quota && {
          strava_requests_left: { in_15_minutes: quota.quarterHour, today: quota.day },
        }),
        ...(problems.length > 0 && { unreadable_files: problems.slice(0, MAX_PROBLEMS) }),
      },
      notes: [
        ...(rows.some(({ is_default }) => is_default)
          ? []
          : ['You have data at several providers: name one in each call.']),
        ...(problems.length > MAX_PROBLEMS
          ? [`${problems.length} files could not be read; ${MAX_PROBLEMS} are listed.`]
          : []),
      ],
    };
  },
});
