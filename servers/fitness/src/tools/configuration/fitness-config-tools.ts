import type { FitnessTool } from '../define-tool.ts';

export const FITNESS_CONFIG_TOOLS: readonly FitnessTool[] = [];
