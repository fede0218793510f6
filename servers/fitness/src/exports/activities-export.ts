import { defineResourceTemplateFor } from 'toolwright';
import * as z from 'zod';
import { toDetailedRow } from '../activities/activity-view.ts';
import type { FitnessContext } from '../context.ts';
import { PROVIDER_NAMES } from '../providers/providers.ts';
import { SPORT_TYPES } from '../providers/provider.ts';
import type { ActivityFilter } from '../providers/provider.ts';
import type { ExportLink } from '../tools/results/result.ts';
import { parseQuery, tagOf } from './export-resource.ts';

const BASE = 'fitness://exports/activities';
const time = z.coerce.number().int().min(0).optional();
const QUERY = z.object({
  provider: z.enum(PROVIDER_NAMES).optional(),
  after: time,
  before: time,
  sport_type: z.enum(SPORT_TYPES).optional(),
});

/** The link to all activities of a filter. */
export function toActivitiesExport(query: ActivityFilter & { readonly provider: string }): ExportLink {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return { uri: `${BASE}?${text}`, name: 'All activities of this result, with all figures' };
}

/** All activities of the reader. The URI has no data and no owner: each reader gets their own activities. */
export const activitiesExport = defineResourceTemplateFor<FitnessContext>()({
  uriTemplate: `${BASE}{?provider,after,before,sport_type}`,
  name: 'activities',
  title: 'Activities',
  description: 'All activities of yours in a period, with all figures. Times are Unix times in seconds.',
  mimeType: 'application/json',
  tags: [tagOf('get_activities')],
  contentProvider: async ({ variables, context }) => {
    const { provider: name, ...filter } = parseQuery(QUERY, variables);
    const source = await context.sources.choose({ name, signal: context.signal });
    const activities = (await source.listActivities(filter)).map(toDetailedRow);
    return JSON.stringify({ provider: source.provider, total: activities.length, activities });
  },
});
