import type { FitnessTool } from '../define-tool.ts';
import { analyzeTrainingLoad } from './analyze-training-load.ts';

export const ANALYSIS_TOOLS: readonly FitnessTool[] = [analyzeTrainingLoad];
