import type { FitnessTool } from '../define-tool.ts';
import { analyzeSleepQuality } from './analyze-sleep-quality.ts';
import { optimizeSleepSchedule } from './optimize-sleep-schedule.ts';
import { calculateRecoveryScore, suggestRestDay } from './recovery-tools.ts';
import { trackSleepTrends } from './track-sleep-trends.ts';

export const SLEEP_TOOLS: readonly FitnessTool[] = [
  analyzeSleepQuality,
  calculateRecoveryScore,
  suggestRestDay,
  trackSleepTrends,
  optimizeSleepSchedule,
];
