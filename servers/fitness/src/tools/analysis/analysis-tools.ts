import type { FitnessTool } from '../define-tool.ts';
import { analyzeActivity } from './analyze-activity.ts';
import { analyzePerformanceTrends } from './analyze-performance-trends.ts';
import { analyzeTrainingLoad } from './analyze-training-load.ts';
import { calculateFitnessScore } from './calculate-fitness-score.ts';
import { calculateMetrics } from './calculate-metrics.ts';
import { compareActivities } from './compare-activities.ts';
import { detectPatterns } from './detect-patterns.ts';
import { generateRecommendations } from './generate-recommendations.ts';
import { getActivityIntelligence } from './get-activity-intelligence.ts';
import { predictPerformance } from './predict-performance.ts';

export const ANALYSIS_TOOLS: readonly FitnessTool[] = [
  analyzeActivity,
  getActivityIntelligence,
  calculateMetrics,
  analyzePerformanceTrends,
  compareActivities,
  detectPatterns,
  analyzeTrainingLoad,
  generateRecommendations,
  calculateFitnessScore,
  predictPerformance,
];
