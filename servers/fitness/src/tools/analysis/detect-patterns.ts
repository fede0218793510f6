import * as z from 'zod';
import { detectInjuryRisk } from '../../analysis/patterns/injury-risk.ts';
import type { PatternRequest, PatternResult } from '../../analysis/patterns/pattern.ts';
import { detectPlateaus } from '../../analysis/patterns/performance-plateaus.ts';
import { detectSeasons } from '../../analysis/patterns/seasonal-trends.ts';
import { detectConsistency } from '../../analysis/patterns/training-consistency.ts';
import { athleteFigures } from '../../athlete/athlete-figures.ts';
import { TIMEFRAMES } from '../../calendar/timeframes.ts';
import { defineProviderTool } from '../define-provider-tool.ts';

const PATTERNS = {
  training_consistency: detectConsistency,
  seasonal_trends: detectSeasons,
  performance_plateaus: detectPlateaus,
  injury_risk: detectInjuryRisk,
} as const satisfies Readonly<Record<string, (request: PatternRequest) => Promise<PatternResult>>>;
const PATTERN_TYPES = Object.keys(PATTERNS) as [keyof typeof PATTERNS, ...(keyof typeof PATTERNS)[]];

export const detectPatterns = defineProviderTool({
  name: 'detect_patterns',
  title: 'Patterns in training',
  description:
    'Detects patterns by fixed rules: regularity of training, seasons, plateaus of performance, or signs of injury risk. Each finding has its reason.',
  synonyms: ['habits', 'am I consistent', 'stagnation', 'injury', 'time of year'],
  hasRows: true,
  arguments: {
    pattern_type: z.enum(PATTERN_TYPES),
    timeframe: z.enum(TIMEFRAMES).optional().describe('Default: quarter; for seasonal_trends two years'),
  },
  read: async ({ input: { pattern_type, timeframe }, source, context }) => {
    const athlete = await athleteFigures(context, source);
    const found = await PATTERNS[pattern_type]({ source, now: context.now(), timeframe, athlete });
    return { data: { pattern_type, ...found.data }, notes: found.notes };
  },
});
