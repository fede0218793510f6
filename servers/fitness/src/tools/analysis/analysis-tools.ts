import type { FitnessTool } from '../define-tool.ts';
import { analyzePerformanceTrends } from './analyze-performance-trends.ts';
import { analyzeTrainingLoad } from './analyze-training-load.ts';

export const ANALYSIS_TOOLS: readonly FitnessTool[] = [analyzePerformanceTrends, analyzeTrainingLoad];
