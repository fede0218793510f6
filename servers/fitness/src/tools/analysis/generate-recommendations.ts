import * as z from 'zod';
import { readTrainingFacts } from '../../analysis/recommendations/training-facts.ts';
import { recommend } from '../../analysis/recommendations/recommend.ts';
import { RECOMMENDATION_TYPES } from '../../analysis/recommendations/recommendation.ts';
import { activityId } from '../arguments.ts';
import { defineProviderTool } from '../define-provider-tool.ts';

export const generateRecommendations = defineProviderTool({
  name: 'generate_recommendations',
  title: 'Recommendations',
  description:
    'Recommends training, recovery, nutrition or equipment by fixed rules, the most important first. Each has its reason.',
  synonyms: ['advice', 'what should I do', 'next workout', 'coach', 'tips'],
  hasRows: true,
  arguments: {
    recommendation_type: z.enum([...RECOMMENDATION_TYPES, 'all']).default('all'),
    activity_id: activityId.optional().describe('For recovery and nutrition. Default: the newest activity'),
  },
  read: async ({ input: { recommendation_type, activity_id }, source, context }) => {
    const facts = await readTrainingFacts(context, source, activity_id);
    const readsNights = recommendation_type === 'all' || recommendation_type === 'recovery';
    return {
      data: {
        recommendation_type,
        activity_id: facts.activity?.id ?? null,
        recommendations: recommend(facts, recommendation_type),
        figures: facts.athlete.list('ftp', 'lthr', 'weight_kg'),
      },
      notes: [...facts.notes, ...(readsNights ? source.lacks('sleep') : [])],
    };
  },
});
