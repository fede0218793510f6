import type { FitnessTool } from '../define-tool.ts';
import { getConfigurationCatalog, getConfigurationProfiles } from './configuration-catalog.ts';
import { calculatePersonalizedZones } from './personalized-zones.ts';
import { getUserConfiguration, updateUserConfiguration } from './user-configuration.ts';
import { validateConfiguration } from './validate-configuration.ts';

export const CONFIGURATION_TOOLS: readonly FitnessTool[] = [
  getConfigurationCatalog,
  getConfigurationProfiles,
  getUserConfiguration,
  updateUserConfiguration,
  calculatePersonalizedZones,
  validateConfiguration,
];
