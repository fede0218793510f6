import type { FitnessTool } from '../define-tool.ts';
import { ATHLETE_TOOLS } from './athlete-tools.ts';
import { getActivities } from './get-activities.ts';

export const CORE_TOOLS: readonly FitnessTool[] = [getActivities, ...ATHLETE_TOOLS];
