import type { FitnessTool } from '../define-tool.ts';
import { ACCOUNT_TOOLS } from './account-tools.ts';
import { CATALOG_TOOLS } from './catalog-tools.ts';
import { OVERRIDE_TOOLS } from './override-tools.ts';

export const ADMIN_TOOLS: readonly FitnessTool[] = [...ACCOUNT_TOOLS, ...OVERRIDE_TOOLS, ...CATALOG_TOOLS];
