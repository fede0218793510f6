import type { FitnessTool } from '../define-tool.ts';

export const SLEEP_TOOLS: readonly FitnessTool[] = [];
