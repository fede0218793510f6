import type { FitnessTool } from '../define-tool.ts';
import { analyzeActivity } from './analyze-activity.ts';
import { analyzePerformanceTrends } from './analyze-performance-trends.ts';
import { analyzeTrainingLoad } from './analyze-training-load.ts';
import { calculateMetrics } from './calculate-metrics.ts';

export const ANALYSIS_TOOLS: readonly FitnessTool[] = [
  analyzeActivity,
  calculateMetrics,
  analyzePerformanceTrends,
  analyzeTrainingLoad,
];
