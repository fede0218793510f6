import type { FitnessTool } from '../define-tool.ts';

export const NUTRITION_TOOLS: readonly FitnessTool[] = [];
