import type { FitnessTool } from '../define-tool.ts';
import { analyzeGoalFeasibility } from './analyze-goal-feasibility.ts';
import { setGoal } from './set-goal.ts';
import { suggestGoals } from './suggest-goals.ts';
import { trackProgress } from './track-progress.ts';

export const GOAL_TOOLS: readonly FitnessTool[] = [
  setGoal,
  suggestGoals,
  trackProgress,
  analyzeGoalFeasibility,
];
