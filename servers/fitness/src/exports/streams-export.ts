import { defineResourceTemplateFor } from 'toolwright';
import * as z from 'zod';
import type { FitnessContext } from '../context.ts';
import { PROVIDER_NAMES } from '../providers/providers.ts';
import { activityId } from '../tools/arguments.ts';
import { shapeStreams } from '../tools/results/shape-streams.ts';
import type { ExportLink } from '../tools/results/result.ts';
import { parseQuery, tagOf } from './export-resource.ts';

const QUERY = z.object({
  activity_id: activityId,
  provider: z.enum(PROVIDER_NAMES).optional(),
  max_points: z.coerce.number().int().min(3).max(100_000).optional(),
});

/** The link to all samples of an activity. */
export function toStreamsExport(provider: string, activityId: string): ExportLink {
  const uri = `fitness://exports/activities/${encodeURIComponent(activityId)}/streams?provider=${provider}`;
  return { uri, name: 'All samples of this activity' };
}

/** The samples of an activity of the reader. */
export const streamsExport = defineResourceTemplateFor<FitnessContext>()({
  uriTemplate: 'fitness://exports/activities/{activity_id}/streams{?provider,max_points}',
  name: 'streams',
  title: 'Samples of an activity',
  description: 'The samples of an activity of yours, one column for each quantity. Default: all samples.',
  mimeType: 'application/json',
  tags: [tagOf('analyze_activity')],
  contentProvider: async ({ variables, context }) => {
    const { activity_id: id, provider: name, max_points } = parseQuery(QUERY, variables);
    const source = await context.sources.choose({ name, signal: context.signal });
    await source.getActivity(id);
    const streams = await source.findStreams(id);
    if (streams === undefined) return null;
    const shaped = shapeStreams(streams, max_points ?? Math.max(3, streams.time_s.length));
    return JSON.stringify({ provider: source.provider, activity_id: id, ...shaped });
  },
});
