import { afterAll, expect, test } from 'vitest';
import { toStreamsExport } from '../../src/exports/streams-export.ts';
import { readJson } from '../support/clients.ts';
import { startStack } from '../support/stack.ts';

const stack = await startStack();
afterAll(() => stack.close());

interface Streams {
  readonly samples: number;
  readonly returned: number;
  readonly streams: Readonly<Record<string, readonly (number | null)[]>>;
}

const RUN = 'synthetic-2026-11-17-1';

test('the samples of an activity are complete unless max_points says otherwise, and keep the peak', async () => {
  const client = await stack.connect({ caller: 'anonymous' });
  const { uri } = toStreamsExport('synthetic', RUN);
  expect(uri).toBe('fitness://exports/activities/synthetic-2026-11-17-1/streams?provider=synthetic');
  const whole = await readJson<Streams>(client, uri);
  expect(whole).toMatchObject({ activity_id: RUN, samples: 2400, returned: 2400 });
  const few = await readJson<Streams>(client, `${uri}&max_points=50`);
  expect(few).toMatchObject({ samples: 2400, returned: 50 });
  expect(few.streams['time_s']).toHaveLength(50);
  expect(Math.max(...(few.streams['heart_rate'] ?? []).map(Number))).toBe(179);
});

test.each([
  ['fitness://exports/activities/nope/streams', /has no activity "nope"/],
  ['fitness://exports/activities?after=soon', /after/],
  ['fitness://exports/activities?provider=garmin', /provider/],
  ['fitness://exports/activities?provider=strava', /no provider strava.*Use synthetic/s],
  ['fitness://exports/sleep', /not found/],
])('%s is an error', async (uri, message) => {
  const client = await stack.connect();
  await expect(client.readResource({ uri })).rejects.toThrow(message);
});
