import { z } from 'zod';
import type { ActivityStreams } from '../../provider.ts';

const SAMPLES = z.object({ data: z.array(z.number().nullable()) }).optional();

export const STRAVA_STREAMS = z.object({
  time: z.object({ data: z.array(z.number()) }).optional(),
  distance: SAMPLES,
  latlng: z.object({ data: z.array(z.tuple([z.number(), z.number()]).nullable()) }).optional(),
  altitude: SAMPLES,
  velocity_smooth: SAMPLES,
  heartrate: SAMPLES,
  cadence: SAMPLES,
  watts: SAMPLES,
});

export const STREAM_KEYS = Object.keys(STRAVA_STREAMS.shape).join(',');

/** Undefined without times. Streams of another length than the times are left out: they cannot be placed in time. */
export function toStreams(streams: z.output<typeof STRAVA_STREAMS>): ActivityStreams | undefined {
  const time_s = streams.time?.data;
  if (time_s === undefined || time_s.length === 0) return undefined;
  const { latlng } = streams;
  const named = {
    distance_m: streams.distance?.data,
    heart_rate: streams.heartrate?.data,
    power_w: streams.watts?.data,
    cadence_rpm: streams.cadence?.data,
    speed_mps: streams.velocity_smooth?.data,
    altitude_m: streams.altitude?.data,
    latitude: latlng?.data.map((position) => position?.[0] ?? null),
    longitude: latlng?.data.map((position) => position?.[1] ?? null),
  };
  const present = Object.entries(named).filter(([, samples]) => samples?.length === time_s.length);
  return { time_s, ...Object.fromEntries(present) };
}
