import { totalActivities } from '../../activities/activity-totals.ts';
import { defineProviderTool } from '../define-provider-tool.ts';
import type { FitnessTool } from '../define-tool.ts';

const getAthlete = defineProviderTool({
  name: 'get_athlete',
  title: 'Athlete',
  description:
    'Returns the profile of the athlete: body, heart rates and thresholds. A value that the provider lacks is null.',
  synonyms: ['profile', 'who am I', 'weight', 'max heart rate', 'FTP'],
  hasRows: true,
  arguments: {},
  read: async ({ source }) => {
    const athlete = await source.findAthlete();
    const lacks = source.lacks('athlete');
    return {
      data: { athlete: athlete ?? null },
      notes: lacks.length === 0 ? [] : [...lacks, 'Set the values of your body with set_fitness_config.'],
    };
  },
});

const getStats = defineProviderTool({
  name: 'get_stats',
  title: 'Statistics',
  description:
    'Sums the activities of the last four weeks, of this year and of all time, in total and by sport. Distances are in metres, times in seconds.',
  synonyms: ['totals', 'how much', 'mileage', 'year to date'],
  hasRows: true,
  arguments: {},
  read: async ({ source, context }) => ({
    data: totalActivities(await source.listActivities(), context.now()),
  }),
});

export const ATHLETE_TOOLS: readonly FitnessTool[] = [getAthlete, getStats];
