import * as z from 'zod';
import { powerCurve } from '../../algorithms/power/power-curve.ts';
import { listMetrics } from '../../analysis/metrics/metric-rows.ts';
import { METRICS } from '../../analysis/metrics/metrics.ts';
import { heartRateZoneRows, powerZoneRows } from '../../analysis/metrics/zone-rows.ts';
import { readSession, secondsOfSession } from '../../analysis/session.ts';
import type { Session } from '../../analysis/session.ts';
import { toLocalStart } from '../../activities/local-time.ts';
import { activityId } from '../arguments.ts';
import { defineProviderTool } from '../define-provider-tool.ts';
import { toNullable } from '../results/computed.ts';
import { roundRow } from '../results/rounded.ts';

/** Metrics with several rows. */
const TABLES = {
  heart_rate_zones: heartRateZoneRows,
  power_zones: powerZoneRows,
  power_curve: (session: Session) => {
    const samples = secondsOfSession(session, 'power_w');
    const curve = samples.ok ? powerCurve(samples.value) : samples;
    return curve.ok ? { ...curve, value: curve.value.map((row) => roundRow(row, 0)) } : curve;
  },
} as const;
type TableName = keyof typeof TABLES;
const TABLE_NAMES = Object.keys(TABLES) as [TableName, ...TableName[]];
const NAMES = [...METRICS, ...TABLE_NAMES] as const;

export const calculateMetrics = defineProviderTool({
  name: 'calculate_metrics',
  title: 'Metrics of an activity',
  description:
    'Computes metrics of one activity by their published definitions: load (TSS, hrTSS, TRIMP), normalized power, zones, efficiency, decoupling.',
  synonyms: ['training stress score', 'power to weight', 'time in zones', 'NP', 'IF', 'aerobic decoupling'],
  hasRows: true,
  arguments: {
    activity_id: activityId,
    metrics: z
      .array(z.enum(NAMES))
      .min(1)
      .max(NAMES.length)
      .optional()
      .describe('Default: all that the data allow'),
  },
  read: async ({ input: { activity_id, metrics }, source, context }) => {
    const session = await readSession(context, source, activity_id);
    const wanted = new Set<string>(metrics ?? NAMES);
    const { rows, notes } = listMetrics(
      session,
      METRICS.filter((name) => wanted.has(name)),
    );
    const all = [...notes];
    const tables = TABLE_NAMES.filter((name) => wanted.has(name)).map((name) => [
      name,
      toNullable<readonly object[]>(name, TABLES[name](session), all),
    ]);
    const { id, name, sport_type } = session.activity;
    return {
      data: {
        activity_id: id,
        name,
        sport_type,
        start: toLocalStart(session.activity),
        // Without a selection, only metrics that the activity has.
        metrics: metrics === undefined ? rows.filter(({ value }) => value !== null) : rows,
        ...Object.fromEntries(tables.filter(([, table]) => metrics !== undefined || table !== null)),
        figures: session.athlete.list('ftp', 'lthr', 'max_hr', 'resting_hr', 'weight_kg'),
      },
      notes: all,
    };
  },
});
