import type { FitnessTool } from '../define-tool.ts';

export const ADMIN_TOOLS: readonly FitnessTool[] = [];
