import type { FitnessTool } from '../define-tool.ts';

export const GOAL_TOOLS: readonly FitnessTool[] = [];
