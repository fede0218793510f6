import type { FitnessTool } from '../define-tool.ts';
import { ATHLETE_TOOLS } from './athlete-tools.ts';
import { connectProvider } from './connect-provider.ts';
import { getConnectionStatus } from './connection-status.ts';
import { disconnectProvider } from './disconnect-provider.ts';
import { getActivities } from './get-activities.ts';

export const CORE_TOOLS: readonly FitnessTool[] = [
  getActivities,
  ...ATHLETE_TOOLS,
  getConnectionStatus,
  connectProvider,
  disconnectProvider,
];
