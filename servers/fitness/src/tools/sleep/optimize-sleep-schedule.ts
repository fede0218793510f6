import type { ToolContext } from 'toolwright';
import * as z from 'zod';
import { WORKOUT_INTENSITIES } from '../../algorithms/energy/workout-intensity.ts';
import { sleepSchedule } from '../../algorithms/sleep/sleep-schedule.ts';
import { meanOf } from '../../algorithms/statistics/spread.ts';
import { readTrainingLoad } from '../../analysis/load/training-load-history.ts';
import { athleteFigures } from '../../athlete/athlete-figures.ts';
import type { FitnessContext } from '../../context.ts';
import type { ProviderName } from '../../providers/providers.ts';
import type { Source } from '../../providers/source.ts';
import { listNights } from '../../sleep/read-nights.ts';
import { findConfigIssues, userConfig } from '../configuration/athlete-arguments.ts';
import { defineFitnessTool } from '../define-tool.ts';
import { getValue } from '../results/computed.ts';
import { rounded } from '../results/rounded.ts';

const RECENT_DAYS = 7;

export const optimizeSleepSchedule = defineFitnessTool({
  name: 'optimize_sleep_schedule',
  title: 'Sleep schedule',
  description:
    'Computes bedtime and hours of sleep for tonight from form, acute load and the next workout, and returns the reason of each addition.',
  synonyms: ['go to bed', 'how long should I sleep', 'sleep need', 'wake up'],
  effect: 'reads',
  isOpenWorld: true,
  hasRows: true,
  arguments: (provider) => ({
    activity_provider: provider('activities'),
    sleep_provider: provider('sleep').describe('Default: activity_provider, if it has sleep'),
    user_config: userConfig,
    upcoming_workout_intensity: z.enum(WORKOUT_INTENSITIES).default('moderate'),
    typical_wake_time: z
      .string()
      .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/)
      .default('06:00')
      .describe('HH:MM'),
    target_sleep_hours: z.number().min(4).max(12).default(8),
  }),
  findIssues: ({ user_config = {} }) => findConfigIssues(user_config, ['user_config']),
  run: async ({ input, context }) => {
    const source = await context.sources.choose({ name: input.activity_provider, signal: context.signal });
    const athlete = await athleteFigures(context, source, input.user_config);
    const load = getValue(await readTrainingLoad({ source, now: context.now(), days: 1, athlete }));
    const { tsb = 0, atl = 0 } = load.days.at(-1) ?? {};
    const schedule = getValue(
      sleepSchedule({
        tsb,
        atl,
        wake_time: input.typical_wake_time,
        target_hours: input.target_sleep_hours,
        intensity: input.upcoming_workout_intensity,
      }),
    );
    const slept = await readRecentSleep(context, { source, name: input.sleep_provider });
    return {
      data: {
        ...schedule,
        form_tsb: rounded(tsb),
        acute_load_atl: rounded(atl),
        activity_provider: source.provider,
        ...slept.data,
        figures: athlete.list('ftp', 'lthr'),
      },
      notes: [...new Set([...source.notes, ...slept.notes, ...load.notes])],
    };
  },
});

/** The sleep of the last days, for comparison. The schedule does not depend on it. */
async function readRecentSleep(
  { sources, signal, now }: ToolContext<FitnessContext>,
  { source, name }: { readonly source: Source; readonly name: ProviderName | undefined },
): Promise<{ readonly data: object; readonly notes: readonly string[] }> {
  if (name === undefined && !source.has('sleep'))
    return { data: { sleep_provider: null, recent_average_hours: null }, notes: source.lacks('sleep') };
  const slept = name === undefined ? source : await sources.choose({ name, feature: 'sleep', signal });
  const nights = await listNights(slept, { now: now(), days: RECENT_DAYS });
  const average = meanOf(nights.map(({ duration_hours }) => duration_hours));
  return {
    data: {
      sleep_provider: slept.provider,
      recent_average_hours: average === undefined ? null : rounded(average, 2),
    },
    notes: slept.notes,
  };
}
