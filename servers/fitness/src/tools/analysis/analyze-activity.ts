import { toDetailedRow } from '../../activities/activity-view.ts';
import { listSessionFindings } from '../../analysis/findings/session-findings.ts';
import { listMetrics } from '../../analysis/metrics/metric-rows.ts';
import { METRICS } from '../../analysis/metrics/metrics.ts';
import { heartRateZoneRows, powerZoneRows } from '../../analysis/metrics/zone-rows.ts';
import { readSession } from '../../analysis/session.ts';
import { listSplits } from '../../analysis/splits.ts';
import { toStreamsExport } from '../../exports/streams-export.ts';
import { activityId, mode } from '../arguments.ts';
import { defineProviderTool } from '../define-provider-tool.ts';
import { maxPoints, shapeStreams } from '../results/shape-streams.ts';

export const analyzeActivity = defineProviderTool({
  name: 'analyze_activity',
  title: 'Analysis of an activity',
  description:
    'Analyzes one activity: figures, load, time in zones, and observations with their reasons. mode detailed adds splits and samples.',
  synonyms: ['how was my run', 'workout details', 'laps', 'splits', 'heart rate curve'],
  hasRows: true,
  arguments: {
    activity_id: activityId,
    mode: mode.describe('detailed: also splits and samples'),
    max_points: maxPoints,
  },
  read: async ({ input: { activity_id, mode: wanted, max_points }, source, context }) => {
    const session = await readSession(context, source, activity_id);
    const { activity, streams, athlete } = session;
    const { rows } = listMetrics(session, METRICS);
    const [heart, power] = [heartRateZoneRows(session), powerZoneRows(session)];
    const isDetailed = wanted === 'detailed';
    return {
      data: {
        activity: toDetailedRow(activity),
        metrics: rows.filter(({ value }) => value !== null),
        findings: listSessionFindings(session),
        ...(heart.ok && { heart_rate_zones: heart.value }),
        ...(power.ok && { power_zones: power.value }),
        ...(isDetailed && { splits: listSplits(session) }),
        ...(isDetailed && streams !== undefined && shapeStreams(streams, max_points)),
        figures: athlete.list('ftp', 'lthr', 'max_hr', 'resting_hr', 'weight_kg'),
      },
      notes: [
        ...source.lacks('streams', 'place', 'weather'),
        ...(streams === undefined && source.has('streams') ? ['This activity has no samples.'] : []),
      ],
      complete: streams === undefined ? undefined : toStreamsExport(source.provider, activity.id),
    };
  },
});
