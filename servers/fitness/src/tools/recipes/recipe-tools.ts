import type { FitnessTool } from '../define-tool.ts';
import { RECIPE_CHECK_TOOLS } from './check-tools.ts';
import { STORED_RECIPE_TOOLS } from './stored-recipe-tools.ts';

export const RECIPE_TOOLS: readonly FitnessTool[] = [...RECIPE_CHECK_TOOLS, ...STORED_RECIPE_TOOLS];
