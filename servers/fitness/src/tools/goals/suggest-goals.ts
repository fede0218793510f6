import * as z from 'zod';
import { readPeriod } from '../../activities/read-period.ts';
import { GOAL_CATEGORIES } from '../../goals/suggested-targets.ts';
import { suggestGoals as suggest } from '../../goals/suggestions.ts';
import { defineProviderTool } from '../define-provider-tool.ts';

const DAYS = 90;

export const suggestGoals = defineProviderTool({
  name: 'suggest_goals',
  title: 'Suggested goals',
  description:
    'Suggests feasible goals by fixed rules from the last 90 days, with the arguments of set_goal and the reason of each.',
  synonyms: ['goal ideas', 'what should I aim for', 'challenge'],
  hasRows: true,
  arguments: { goal_category: z.enum([...GOAL_CATEGORIES, 'all']).default('all') },
  read: async ({ input: { goal_category }, source, context }) => {
    const now = context.now();
    const period = await readPeriod({ source, now, days: DAYS });
    const categories = goal_category === 'all' ? GOAL_CATEGORIES : [goal_category];
    const goals = suggest(period, categories, now);
    return {
      data: { goals },
      notes:
        goals.length === 0 ? [`There are too few activities in the last ${DAYS} days to suggest goals.`] : [],
    };
  },
});
