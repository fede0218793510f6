import type { FitnessTool } from '../define-tool.ts';

export const CONFIGURATION_TOOLS: readonly FitnessTool[] = [];
