import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callJson, callTool } from '../support/clients.ts';
import { startStack } from '../support/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'fitness-sources-'));
writeFileSync(
  join(folder, 'lap.gpx'),
  `<gpx><trk><name>Around the lake</name><type>running</type><trkseg>
    <trkpt lat="48" lon="7.8"><time>2026-11-01T08:00:00Z</time></trkpt>
    <trkpt lat="48.001" lon="7.8"><time>2026-11-01T08:00:30Z</time></trkpt>
  </trkseg></trk></gpx>`,
);
const stack = await startStack({
  environment: {
    FITNESS_FILES: folder,
    FITNESS_USER: 'user',
    FITNESS_KEY: Buffer.alloc(32, 7).toString('base64'),
    FITNESS_STRAVA_CLIENT_ID: '7',
    FITNESS_STRAVA_CLIENT_SECRET: 'secret',
  },
});
afterAll(async () => {
  await stack.close();
  rmSync(folder, { recursive: true });
});

test('the provider is one of the configured ones', async () => {
  const client = await stack.connect();
  const [tool] = (await client.listTools()).tools;
  expect(tool?.inputSchema.properties?.['provider']).toMatchObject({
    enum: ['synthetic', 'files', 'strava'],
  });
});

test('the default is the provider that the caller has connected, and the result says what it lacks', async () => {
  const client = await stack.connect();
  const found = await callJson(client, 'get_activities', { mode: 'detailed' });
  expect(found).toMatchObject({
    provider: 'files',
    total: 1,
    activities: [{ name: 'Around the lake', start: '2026-11-01T08:00:00Z', conditions: null }],
    notes: ['The provider files has no weather.'],
  });
  expect(await callJson(client, 'get_athlete')).toEqual({
    provider: 'files',
    athlete: null,
    notes: [
      'The provider files has no athlete profile.',
      'Set the values of your body with set_fitness_config.',
    ],
  });
});

test('a caller who has connected none gets the demonstration athlete', async () => {
  const client = await stack.connect({ caller: 'starter' });
  expect(await callJson(client, 'get_activities', { limit: 1 })).toMatchObject({ provider: 'synthetic' });
});

test('several connected providers have no default: the error names them', async () => {
  // The tokens are not used before a request to Strava.
  stack.database.insert('provider_tokens', { user_id: 'user', provider: 'strava', sealed: 'x' });
  const client = await stack.connect();
  expect(await callTool(client, 'get_stats')).toMatchObject({
    isError: true,
    text: 'You have data at several providers: files, strava.\nSuggestion: Call again with one of them.',
  });
  expect(await callJson(client, 'get_stats', { provider: 'files' })).toMatchObject({ provider: 'files' });
  stack.database.run('DELETE FROM provider_tokens');
});

test.each(['files', 'strava'])('%s of others is not readable', async (provider) => {
  const member = await stack.connect({ caller: 'starter' });
  expect(await callTool(member, 'get_activities', { provider })).toMatchObject({
    isError: true,
    text: `You have no data at ${provider}.\nSuggestion: Call get_connection_status for the providers that you can use.`,
  });
  const anonymous = await stack.connect({ caller: 'anonymous' });
  expect(await callTool(anonymous, 'get_activities', { provider })).toMatchObject({
    isError: true,
    text: `Anonymous callers have no data at ${provider}: only the demonstration athlete is public.\nSuggestion: Use the provider synthetic, or call with the token of a user.`,
  });
});
