import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readFitnessConfig } from '../../src/configuration/fitness-config.ts';
import { openDatabase } from '../../src/database/database.ts';
import { callJson, callTool } from '../support/clients.ts';
import { CONNECTIONS, findIssuePaths } from '../support/connections.ts';
import type { InvalidCall } from '../support/connections.ts';
import { startStack } from '../support/stack.ts';

const stack = await startStack();
afterAll(() => stack.close());
beforeEach(() => stack.database.run('DELETE FROM fitness_configs'));

const HEART_RATE_ZONES = {
  zone1: { min: 110, max: 130 },
  zone2: { min: 130, max: 145 },
  zone3: { min: 146, max: 160 },
  zone4: { min: 160, max: 172 },
  zone5: { min: 172, max: 188 },
};
const { zone5: _zone5, ...FOUR_ZONES } = HEART_RATE_ZONES;

const INVALID: readonly InvalidCall[] = [
  ['get_fitness_config', { configuration_name: '' }, ['configuration_name']],
  ['get_fitness_config', { configuration_name: '  ' }, ['configuration_name']],
  ['get_fitness_config', { name: 'winter' }, ['name']],
  ['list_fitness_configs', { format: 'csv' }, ['format']],
  ['delete_fitness_config', {}, ['configuration_name']],
  ['delete_fitness_config', { configuration_name: 'x'.repeat(65) }, ['configuration_name']],
  ['set_fitness_config', {}, ['configuration']],
  ['set_fitness_config', { configuration: {} }, ['configuration']],
  ['set_fitness_config', { configuration: [] }, ['configuration']],
  [
    'set_fitness_config',
    { configuration: { ftp: 49, weight_kg: '70' } },
    ['configuration.ftp', 'configuration.weight_kg'],
  ],
  ['set_fitness_config', { configuration: { FTP: 250, lthr: 160 } }, ['configuration.FTP']],
  [
    'set_fitness_config',
    { configuration: { heart_rate_zones: FOUR_ZONES } },
    ['configuration.heart_rate_zones.zone5'],
  ],
  [
    'set_fitness_config',
    { configuration: { power_zones: { ...HEART_RATE_ZONES, zone3: { min: 146, max: 160, name: 'tempo' } } } },
    ['configuration.power_zones.zone3.name'],
  ],
  [
    'set_fitness_config',
    { configuration: { heart_rate_zones: { ...HEART_RATE_ZONES, zone2: { min: 120, max: 120 } } } },
    ['configuration.heart_rate_zones.zone2.max', 'configuration.heart_rate_zones.zone2.min'],
  ],
  ['set_fitness_config', { configuration: { max_hr: 160, lthr: 160 } }, ['configuration.lthr']],
];

describe.each(CONNECTIONS)('client $version over $transport', (connection) => {
  const connect = () => stack.connect({ ...connection, caller: 'enterprise' });

  test('stored values are read again, by name and under the name default', async () => {
    const client = await connect();
    const configuration = {
      heart_rate_zones: HEART_RATE_ZONES,
      ftp: 250.5,
      lthr: 165,
      max_hr: 188,
      resting_hr: 45,
    };
    const winter = { configuration_name: 'winter 2026', configuration };
    const stored = { ...winter, updated_at: '2026-11-18T12:00:00.000Z' };
    expect(await callJson(client, 'set_fitness_config', winter)).toEqual(stored);
    expect(await callJson(client, 'get_fitness_config', { configuration_name: 'winter 2026' })).toEqual(
      stored,
    );
    expect(await callJson(client, 'get_fitness_config')).toEqual({
      configuration_name: 'default',
      updated_at: null,
      configuration: {},
      notes: ['You have stored no zones or thresholds yet: set_fitness_config does.'],
    });
    await callJson(client, 'set_fitness_config', { configuration: { weight_kg: 71 } });
    expect(await callJson(client, 'list_fitness_configs')).toEqual({
      total: 2,
      configurations: [
        {
          configuration_name: 'default',
          updated_at: '2026-11-18T12:00:00.000Z',
          ftp: null,
          lthr: null,
          max_hr: null,
          resting_hr: null,
          weight_kg: 71,
          has_heart_rate_zones: false,
          has_power_zones: false,
        },
        {
          configuration_name: 'winter 2026',
          updated_at: '2026-11-18T12:00:00.000Z',
          ftp: 250.5,
          lthr: 165,
          max_hr: 188,
          resting_hr: 45,
          weight_kg: null,
          has_heart_rate_zones: true,
          has_power_zones: false,
        },
      ],
    });
    expect(await callJson(client, 'delete_fitness_config', { configuration_name: 'winter 2026' })).toEqual({
      deleted: 'winter 2026',
    });
    expect(await callTool(client, 'get_fitness_config', { configuration_name: 'winter 2026' })).toMatchObject(
      {
        isError: true,
        text: 'You have no zones and thresholds of the name "winter 2026".\nSuggestion: Use "default".',
      },
    );
  });

  test.each(INVALID)('%s %j is -32602 with the path of each invalid value', async (tool, args, paths) => {
    const client = await connect();
    expect(await findIssuePaths(callTool(client, tool, { ...args }))).toEqual(paths);
  });
});

test('values that are not given are kept, and null removes one', async () => {
  const client = await stack.connect();
  await callJson(client, 'set_fitness_config', {
    configuration: { ftp: 240, weight_kg: 71, heart_rate_zones: HEART_RATE_ZONES },
  });
  expect(
    await callJson(client, 'set_fitness_config', { configuration: { ftp: 260, heart_rate_zones: null } }),
  ).toMatchObject({
    configuration: { ftp: 260, weight_kg: 71 },
  });
  const { configuration } = await callJson<{ configuration: object }>(client, 'get_fitness_config');
  expect(configuration).toEqual({ ftp: 260, weight_kg: 71 });
});

test('a value that contradicts a stored one is rejected, and nothing changes', async () => {
  const client = await stack.connect();
  await callJson(client, 'set_fitness_config', { configuration: { lthr: 170 } });
  expect(
    await callTool(client, 'set_fitness_config', { configuration: { max_hr: 165, ftp: 250 } }),
  ).toMatchObject({
    isError: true,
    text: 'Lactate threshold heart rate (170 bpm) must be below maximum heart rate (165 bpm). One of them is a stored value.\nSuggestion: Set both, or remove the stored one with null.',
  });
  expect(await callJson(client, 'get_fitness_config')).toMatchObject({ configuration: { lthr: 170 } });
});

test('a caller sees and deletes only their own', async () => {
  const [user, other] = [await stack.connect(), await stack.connect({ caller: 'starter' })];
  await callJson(user, 'set_fitness_config', { configuration: { ftp: 300 }, configuration_name: 'race' });
  expect(await callJson(other, 'list_fitness_configs')).toEqual({ total: 0, configurations: [] });
  expect(await callTool(other, 'delete_fitness_config', { configuration_name: 'race' })).toMatchObject({
    isError: true,
    text: 'You have no zones and thresholds of the name "race".\nSuggestion: Store some with set_fitness_config.',
  });
  expect(await callJson(user, 'list_fitness_configs')).toMatchObject({ total: 1 });
});

test('the number of names has a limit, and those that exist can still be changed', async () => {
  const client = await stack.connect({ caller: 'enterprise' });
  for (let index = 1; index <= 50; index += 1)
    await callJson(client, 'set_fitness_config', {
      configuration: { ftp: 200 },
      configuration_name: `${index}`,
    });
  const one = { configuration: { ftp: 201 }, configuration_name: '51' };
  expect(await callTool(client, 'set_fitness_config', one)).toMatchObject({
    isError: true,
    text: 'You have 50 fitness configurations, which is the limit.\nSuggestion: Delete one with delete_fitness_config.',
  });
  await callJson(client, 'set_fitness_config', { ...one, configuration_name: '50' });
});

test('stored values survive the end of the server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fitness-config-'));
  const databaseFile = join(folder, 'fitness.db');
  const first = await startStack({ databaseFile });
  await callJson(await first.connect(), 'set_fitness_config', { configuration: { ftp: 222 } });
  await first.close();

  const database = openDatabase(databaseFile);
  expect(readFitnessConfig(database, 'user')).toEqual({ ftp: 222 });
  database.close();
  rmSync(folder, { recursive: true });
});

test('anonymous callers have none of the four tools', async () => {
  const client = await stack.connect({ caller: 'anonymous' });
  await expect(callTool(client, 'set_fitness_config', { configuration: { ftp: 250 } })).rejects.toThrow(
    /Unknown tool/,
  );
});
