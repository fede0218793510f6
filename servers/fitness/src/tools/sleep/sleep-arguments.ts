import * as z from 'zod';
import type { ArgumentIssue } from '../define-tool.ts';
import type { GivenNight } from '../../sleep/read-nights.ts';

const hours = z.number().min(0).max(16);
const rmssd = z.number().min(5).max(250).describe('RMSSD in ms');

const date = z.iso.date();

const measures = {
  duration_hours: z.number().min(0.5).max(16),
  efficiency_percent: z.number().min(1).max(100).optional(),
  deep_sleep_hours: hours.optional(),
  rem_sleep_hours: hours.optional(),
  light_sleep_hours: hours.optional(),
  awakenings: z.int().min(0).max(100).optional(),
  hrv_rmssd_ms: rmssd.optional(),
};

/** The argument `sleep_data`: one night instead of those of a provider. */
export const sleepData = z
  .object({ date: date.optional().describe('Day of waking up. Default: today'), ...measures })
  .optional()
  .describe('The last night, instead of sleep_provider');

/** The argument `sleep_history`: nights instead of those of a provider. */
export const sleepHistory = z
  .array(z.object({ date: date.describe('Day of waking up'), ...measures }))
  .min(7)
  .max(90)
  .optional()
  .describe('Nights, instead of sleep_provider');

/** HRV of the nights before, for a baseline. */
export const hrvArguments = {
  recent_hrv_values: z
    .array(rmssd)
    .min(1)
    .max(90)
    .optional()
    .describe('RMSSD in ms of the nights before, the oldest first. Default: those of the provider'),
  baseline_hrv: rmssd.optional().describe('RMSSD in ms. Default: the mean of the nights before'),
};

/** Nights of the call and a provider exclude each other. */
export function findSourceIssues(
  given: { readonly name: string; readonly isGiven: boolean },
  provider: string | undefined,
): readonly ArgumentIssue[] {
  if (!given.isGiven || provider === undefined) return [];
  return [{ path: [given.name], message: 'must not be given together with sleep_provider' }];
}

/** Rounding of devices: the stages may be this much longer than the night. */
const TOLERANCE_HOURS = 0.1;

/** Stages that are longer than the night. */
export function findNightIssues(
  night: GivenNight,
  path: readonly (string | number)[],
): readonly ArgumentIssue[] {
  const { duration_hours, deep_sleep_hours = 0, rem_sleep_hours = 0, light_sleep_hours = 0 } = night;
  const sum = deep_sleep_hours + rem_sleep_hours + light_sleep_hours;
  if (sum <= duration_hours + TOLERANCE_HOURS) return [];
  const message = `must not be less than the stages of sleep, which are ${Number(sum.toFixed(2))} hours`;
  return [{ path: [...path, 'duration_hours'], message }];
}
