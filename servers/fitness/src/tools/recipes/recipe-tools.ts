import type { FitnessTool } from '../define-tool.ts';

export const RECIPE_TOOLS: readonly FitnessTool[] = [];
