import * as z from 'zod';
import { describeActivity } from '../../activities/describe-activity.ts';
import { toLocalStart } from '../../activities/local-time.ts';
import { listContextFindings } from '../../analysis/findings/context-findings.ts';
import { listSessionFindings } from '../../analysis/findings/session-findings.ts';
import {
  climbPerKilometre,
  listPlaceFindings,
  listWeatherFindings,
} from '../../analysis/findings/surroundings.ts';
import { readSession } from '../../analysis/session.ts';
import { DAY_S } from '../../calendar/days.ts';
import { activityId } from '../arguments.ts';
import { defineProviderTool } from '../define-provider-tool.ts';

/** Days before the activity that it is compared with. */
const DAYS = 90;

export const getActivityIntelligence = defineProviderTool({
  name: 'get_activity_intelligence',
  title: 'Activity insights',
  description:
    'Explains one activity by fixed rules: effort, pacing, endurance, comparison with the 90 days before, weather and place. Each insight has its reason.',
  synonyms: ['insights', 'what stands out', 'why was it hard', 'weather effect'],
  hasRows: true,
  arguments: {
    activity_id: activityId,
    include_weather: z.boolean().default(true),
    include_location: z.boolean().default(true),
  },
  read: async ({ input: { activity_id, include_weather, include_location }, source, context }) => {
    const session = await readSession(context, source, activity_id);
    const { activity, athlete } = session;
    const { id, name, sport_type, weather, place, start_time } = activity;
    const others = await source.listActivities({ after: start_time - DAYS * DAY_S, before: start_time });
    const before = others.filter((other) => other.sport_type === sport_type);
    const hasWeather = include_weather && weather !== null;
    const hasPlace = include_location && place !== null;
    return {
      data: {
        activity_id: id,
        name,
        start: toLocalStart(activity),
        summary: describeActivity(activity),
        insights: [
          ...listSessionFindings(session),
          ...listContextFindings({ activity, before, days: DAYS, athlete }),
          ...(hasWeather ? listWeatherFindings(weather) : []),
          ...(include_location ? listPlaceFindings(activity, others) : []),
        ],
        ...(include_weather && { weather }),
        ...(include_location && {
          location: place && { ...place, climb_m_per_km: climbPerKilometre(activity) },
        }),
        figures: athlete.list('ftp', 'lthr'),
      },
      notes: [
        ...source.lacks(
          'streams',
          ...(include_weather ? ['weather' as const] : []),
          ...(include_location ? ['place' as const] : []),
        ),
        ...(include_weather && !hasWeather && source.has('weather') ? ['This activity has no weather.'] : []),
        ...(include_location && !hasPlace && source.has('place') ? ['This activity has no place.'] : []),
      ],
    };
  },
});
