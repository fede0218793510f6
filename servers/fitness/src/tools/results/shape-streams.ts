import * as z from 'zod';
import { downsample } from '../../algorithms/streams/downsample.ts';
import type { ActivityStreams } from '../../providers/provider.ts';
import { getValue } from './computed.ts';

/** The argument `max_points`. Nine columns of so many samples are within the size limit of results. */
export const maxPoints: z.ZodDefault<z.ZodInt> = z
  .int()
  .min(3)
  .max(5000)
  .default(200)
  .describe('Maximum number of samples; peaks are kept');

/** The samples of an activity as columns, at most `points` of them. The highest and lowest values are kept. */
export function shapeStreams(
  { time_s, ...streams }: ActivityStreams,
  points: number,
): { readonly samples: number; readonly returned: number; readonly streams: object } {
  const shaped = getValue(downsample(time_s, streams, points));
  return {
    samples: time_s.length,
    returned: shaped.time_s.length,
    streams: { time_s: shaped.time_s, ...shaped.streams },
  };
}
