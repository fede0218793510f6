import { toActivityRow, toDetailedRow } from '../../activities/activity-view.ts';
import { toActivitiesExport } from '../../exports/activities-export.ts';
import { mode, sportType, unixSeconds } from '../arguments.ts';
import { defineProviderTool } from '../define-provider-tool.ts';
import { pageArguments, paginate } from '../results/pages.ts';

export const getActivities = defineProviderTool({
  name: 'get_activities',
  title: 'Activities',
  description:
    'Lists activities, the newest first. Times are in seconds, distances in metres. The result has the total number and the next offset.',
  synonyms: ['workouts', 'sessions', 'runs', 'rides', 'training log', 'history'],
  hasRows: true,
  arguments: {
    ...pageArguments({ usual: 20, max: 200 }),
    after: unixSeconds.optional().describe('Unix time in seconds, inclusive'),
    before: unixSeconds.optional().describe('Unix time in seconds, exclusive'),
    sport_type: sportType.optional(),
    mode: mode.describe('detailed: all figures, place and weather'),
  },
  findIssues: ({ after, before }) =>
    after !== undefined && before !== undefined && after >= before
      ? [{ path: ['before'], message: `must be later than "after", which is ${after}` }]
      : [],
  read: async ({ input, source }) => {
    const { after, before, sport_type, mode: wanted } = input;
    const filter = { after, before, sport_type };
    const { page, rows } = paginate(await source.listActivities(filter), input);
    const isDetailed = wanted === 'detailed';
    return {
      data: { ...page, activities: rows.map(isDetailed ? toDetailedRow : toActivityRow) },
      notes: isDetailed ? source.lacks('place', 'weather') : [],
      complete:
        page.next_offset === undefined
          ? undefined
          : toActivitiesExport({ provider: source.provider, ...filter }),
    };
  },
});
