import type { FitnessTool } from '../define-tool.ts';

export const ANALYSIS_TOOLS: readonly FitnessTool[] = [];
