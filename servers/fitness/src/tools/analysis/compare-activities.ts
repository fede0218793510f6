import * as z from 'zod';
import { toActivityRow } from '../../activities/activity-view.ts';
import { SPORT_NOUNS } from '../../activities/sport-nouns.ts';
import { COMPARABLE, COMPARISON_TYPES, firstTimeOf } from '../../analysis/comparison/comparable.ts';
import { compareMetrics } from '../../analysis/comparison/compare.ts';
import { athleteFigures } from '../../athlete/athlete-figures.ts';
import { dayOf, toDate } from '../../calendar/days.ts';
import { activityId } from '../arguments.ts';
import { defineProviderTool } from '../define-provider-tool.ts';

const MAX_ROWS = 10;

export const compareActivities = defineProviderTool({
  name: 'compare_activities',
  title: 'Comparison of activities',
  description:
    'Compares one activity with similar ones, with the personal best over a similar distance, with the average of 90 days, or with the five before it.',
  synonyms: ['versus', 'personal record', 'PB', 'PR', 'better than last time'],
  hasRows: true,
  arguments: { activity_id: activityId, comparison_type: z.enum(COMPARISON_TYPES) },
  read: async ({ input: { activity_id, comparison_type }, source, context }) => {
    const activity = await source.getActivity(activity_id);
    const { sport_type } = activity;
    const after = firstTimeOf(comparison_type, activity);
    const same = await source.listActivities({ after, sport_type });
    const { select, description } = COMPARABLE[comparison_type];
    const others = select(
      activity,
      same.filter(({ id }) => id !== activity.id),
    );
    const athlete = await athleteFigures(context, source);
    return {
      data: {
        activity: toActivityRow(activity),
        comparison_type,
        compared_with: `${SPORT_NOUNS[sport_type]}: ${description}`,
        since: toDate(dayOf(after)),
        activities: others.length,
        metrics: compareMetrics(activity, others, athlete),
        others: others.slice(0, MAX_ROWS).map(toActivityRow),
        figures: athlete.list('ftp', 'lthr'),
      },
      notes: others.length === 0 ? ['There is no such activity to compare with.'] : [],
    };
  },
});
