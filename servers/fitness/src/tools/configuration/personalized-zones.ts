import * as z from 'zod';
import { powerZones } from '../../algorithms/zones/power-zones.ts';
import { toHeartRateZones, toPaces, toThresholdHeartRate } from '../../configuration/personalized-zones.ts';
import { readFitnessConfig } from '../../configuration/fitness-config.ts';
import { readConfiguration } from '../../configuration/user-configuration.ts';
import type { FitnessContext } from '../../context.ts';
import { defineFitnessTool } from '../define-tool.ts';
import { getValue, toNullable } from '../results/computed.ts';
import { ofBody } from './athlete-arguments.ts';

export const calculatePersonalizedZones = defineFitnessTool({
  name: 'calculate_personalized_zones',
  title: 'Personalized zones',
  description:
    'Computes heart-rate zones (Karvonen), running paces (Daniels) and, if your FTP is stored, power zones. Stores nothing: set_fitness_config does.',
  synonyms: ['training zones', 'zones from VO2 max', 'easy pace', 'tempo', 'threshold'],
  effect: 'reads',
  hasRows: true,
  arguments: {
    vo2_max: ofBody('vo2_max'),
    resting_hr: ofBody('resting_hr').default(60),
    max_hr: ofBody('max_hr').default(190),
    lactate_threshold: z.number().min(0.5).max(0.95).default(0.85).describe('Share of VO2max'),
    sport_efficiency: z.number().min(0.5).max(1.5).default(1).describe('Factor of VO2max for running'),
  },
  findIssues: ({ resting_hr, max_hr }) =>
    resting_hr >= max_hr
      ? [{ path: ['resting_hr'], message: `must be below max_hr, which is ${max_hr}` }]
      : [],
  run: ({ input, context }) => {
    const { max_intensity_percent } = readConfiguration(context.database, context.caller.id);
    const zones = { ...input, max_intensity_percent };
    const notes: string[] = [];
    if (max_intensity_percent < 100)
      notes.push(`Your configuration allows at most ${max_intensity_percent} % of heart rate reserve.`);
    return {
      data: {
        threshold_hr_bpm: getValue(toThresholdHeartRate(zones)),
        heart_rate_zones: getValue(toHeartRateZones(zones)),
        paces: toNullable('paces', toPaces(zones), notes),
        power_zones: toPowerRows(context, notes),
      },
      notes,
    };
  },
});

function toPowerRows({ database, caller }: FitnessContext, notes: string[]): readonly object[] | null {
  const ftp = readFitnessConfig(database, caller.id).ftp ?? readConfiguration(database, caller.id).ftp;
  if (ftp === null) {
    notes.push('power_zones: VO2max does not determine them. Store your FTP with set_fitness_config.');
    return null;
  }
  return getValue(powerZones(ftp)).map(({ zone, min, max }) => ({
    zone,
    min_w: Math.round(min),
    max_w: max === null ? null : Math.round(max),
  }));
}
