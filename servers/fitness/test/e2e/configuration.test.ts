import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { callJson, callTool } from '../support/clients.ts';
import { CONNECTIONS, findArgument, findIssuePaths } from '../support/connections.ts';
import type { InvalidCall } from '../support/connections.ts';
import { startStack } from '../support/stack.ts';

const stack = await startStack();
afterAll(() => stack.close());
beforeEach(() => {
  stack.database.run('DELETE FROM user_configurations');
  stack.database.run('DELETE FROM fitness_configs');
});

interface Parameters {
  readonly profile: string;
  readonly updated_at: string | null;
  readonly parameters: readonly {
    readonly parameter: string;
    readonly value: unknown;
    readonly source: string;
  }[];
}

const INVALID: readonly InvalidCall[] = [
  ['get_configuration_catalog', { format: 'xml' }, ['format']],
  ['get_configuration_profiles', { profile: 'elite' }, ['profile']],
  ['get_user_configuration', { format: 'TOON' }, ['format']],
  ['update_user_configuration', {}, ['']],
  ['update_user_configuration', { profile: 'olympic' }, ['profile']],
  ['update_user_configuration', { parameters: {} }, ['']],
  [
    'update_user_configuration',
    { parameters: { max_hr: 221, ctl_days: 42.5 } },
    ['parameters.max_hr', 'parameters.ctl_days'],
  ],
  ['update_user_configuration', { parameters: { load_smoothing: 'neural' } }, ['parameters.load_smoothing']],
  ['update_user_configuration', { parameters: { vo2max: 50, ftp: 250 } }, ['parameters.vo2max']],
  [
    'update_user_configuration',
    { parameters: { resting_hr: 90, lthr: 150, max_hr: 150 } },
    ['parameters.lthr'],
  ],
  ['update_user_configuration', { parameters: { ctl_days: 7, atl_days: 7 } }, ['parameters.atl_days']],
  ['calculate_personalized_zones', {}, ['vo2_max']],
  ['calculate_personalized_zones', { vo2_max: 19.9 }, ['vo2_max']],
  ['calculate_personalized_zones', { vo2_max: 50, resting_hr: 29, max_hr: 221 }, ['resting_hr', 'max_hr']],
  ['calculate_personalized_zones', { vo2_max: 50, resting_hr: 100, max_hr: 100 }, ['resting_hr']],
  ['calculate_personalized_zones', { vo2_max: 50, lactate_threshold: 85 }, ['lactate_threshold']],
  ['calculate_personalized_zones', { vo2_max: 50, sport_efficiency: '1' }, ['sport_efficiency']],
  ['validate_configuration', {}, ['parameters']],
  ['validate_configuration', { parameters: 'max_hr=180' }, ['parameters']],
];

describe.each(CONNECTIONS)('client $version over $transport', (connection) => {
  test('the catalog has every parameter with bounds or choices, and the profiles change some of them', async () => {
    const client = await stack.connect({ ...connection, caller: 'anonymous' });
    const catalog = await callJson<{ parameters: readonly { parameter: string }[] }>(
      client,
      'get_configuration_catalog',
    );
    expect(catalog.parameters.map(({ parameter }) => parameter)).toEqual([
      'max_hr',
      'resting_hr',
      'lthr',
      'ftp',
      'vo2_max',
      'weight_kg',
      'max_hr_formula',
      'training_status',
      'bmr_formula',
      'ctl_days',
      'atl_days',
      'load_smoothing',
      'max_intensity_percent',
    ]);
    expect(catalog.parameters[0]).toEqual({
      parameter: 'max_hr',
      category: 'body',
      type: 'number',
      unit: 'bpm',
      min: 100,
      max: 220,
      choices: null,
      default: null,
      description: 'Maximum heart rate',
    });
    expect(catalog.parameters[6]).toMatchObject({
      type: 'choice',
      choices: 'tanaka, fox, nes, gulati',
      default: 'tanaka',
    });
    const found = await callJson<{ profiles: readonly { profile: string }[] }>(
      client,
      'get_configuration_profiles',
    );
    expect(found.profiles.map(({ profile }) => profile)).toEqual([
      'research',
      'elite',
      'recreational',
      'beginner',
      'medical',
    ]);
    expect(found).toMatchObject({ default_profile: 'recreational' });
    expect(found).toHaveProperty('values', [
      { profile: 'research', parameter: 'max_hr_formula', value: 'nes', default: 'tanaka' },
      { profile: 'research', parameter: 'ctl_days', value: 45, default: 42 },
      { profile: 'research', parameter: 'atl_days', value: 15, default: 7 },
      { profile: 'elite', parameter: 'training_status', value: 'well_trained', default: 'trained' },
      { profile: 'beginner', parameter: 'training_status', value: 'untrained', default: 'trained' },
      { profile: 'beginner', parameter: 'max_intensity_percent', value: 89, default: 100 },
      { profile: 'medical', parameter: 'training_status', value: 'untrained', default: 'trained' },
      { profile: 'medical', parameter: 'max_intensity_percent', value: 80, default: 100 },
    ]);
  });

  test('a parameter takes precedence over the profile, and the profile over the default', async () => {
    const client = await stack.connect({ ...connection, caller: 'enterprise' });
    const changed = await callJson<Parameters>(client, 'update_user_configuration', {
      profile: 'research',
      parameters: { ctl_days: 60, max_hr: 188 },
    });
    expect(changed).toMatchObject({ profile: 'research', updated_at: '2026-11-18T12:00:00.000Z' });
    expect(changed.parameters).toContainEqual({ parameter: 'ctl_days', value: 60, source: 'user' });
    expect(changed.parameters).toContainEqual({ parameter: 'atl_days', value: 15, source: 'profile' });
    expect(changed.parameters).toContainEqual({ parameter: 'ftp', value: null, source: 'default' });
    expect(await callJson(client, 'get_user_configuration')).toEqual(changed);
    const reset = await callJson<Parameters>(client, 'update_user_configuration', {
      parameters: { ctl_days: null },
    });
    expect(reset.parameters).toContainEqual({ parameter: 'ctl_days', value: 45, source: 'profile' });
    expect(reset.parameters).toContainEqual({ parameter: 'max_hr', value: 188, source: 'user' });
  });

  test('validate_configuration names every invalid value and every contradiction, and stores nothing', async () => {
    const client = await stack.connect({ ...connection, caller: 'anonymous' });
    const parameters = {
      resting_hr: 29,
      lthr: 170,
      max_hr: 165,
      load_smoothing: 'neural',
      ftp: '250',
      pulse: 60,
      ctl_days: 20.5,
    };
    expect(await callJson(client, 'validate_configuration', { parameters })).toEqual({
      valid: false,
      checked: 7,
      issues: [
        { parameter: 'resting_hr', message: 'Invalid value 29: use a number from 30 to 100 bpm.' },
        { parameter: 'load_smoothing', message: 'Invalid value "neural": use time_constant, span.' },
        { parameter: 'ftp', message: 'Invalid value "250": use a number from 50 to 600 W.' },
        {
          parameter: 'pulse',
          message:
            'Unknown parameter: use max_hr, resting_hr, lthr, ftp, vo2_max, weight_kg, max_hr_formula, training_status, bmr_formula, ctl_days, atl_days, load_smoothing, max_intensity_percent.',
        },
        { parameter: 'ctl_days', message: 'Invalid value 20.5: use an integer from 7 to 100 days.' },
        {
          parameter: 'lthr',
          message: 'Lactate threshold heart rate (170 bpm) must be below maximum heart rate (165 bpm).',
        },
      ],
    });
    expect(
      await callJson(client, 'validate_configuration', { parameters: { resting_hr: 45, max_hr: 190 } }),
    ).toEqual({
      valid: true,
      checked: 2,
      issues: [],
    });
  });

  test.each(INVALID)('%s %j is -32602 with the path of each invalid value', async (tool, args, paths) => {
    const client = await stack.connect({ ...connection, caller: 'enterprise' });
    expect(await findIssuePaths(callTool(client, tool, { ...args }))).toEqual(paths);
  });

  // 60 + 0.5 … 1 · (190 − 60); paces by hand from Daniels' equation: (−0.182258 + √(0.182258² + 0.000416 · (4.6 + share · 50))) / 0.000208 m/min.
  test('zones of a VO2max of 50 with the defaults of everything else', async () => {
    const client = await stack.connect({ ...connection, caller: 'enterprise' });
    expect(await callJson(client, 'calculate_personalized_zones', { vo2_max: 50 })).toEqual({
      threshold_hr_bpm: 171,
      heart_rate_zones: [
        { zone: 1, min_bpm: 125, max_bpm: 138, allowed: true },
        { zone: 2, min_bpm: 138, max_bpm: 151, allowed: true },
        { zone: 3, min_bpm: 151, max_bpm: 164, allowed: true },
        { zone: 4, min_bpm: 164, max_bpm: 177, allowed: true },
        { zone: 5, min_bpm: 177, max_bpm: 190, allowed: true },
      ],
      paces: [
        { name: 'easy', slowest: '5:52 /km', fastest: '4:54 /km' },
        { name: 'marathon', slowest: '4:50 /km', fastest: '4:25 /km' },
        { name: 'threshold', slowest: '4:28 /km', fastest: '4:15 /km' },
        { name: 'interval', slowest: '4:00 /km', fastest: '3:50 /km' },
        { name: 'lactate_threshold', slowest: '4:22 /km', fastest: '4:22 /km' },
      ],
      power_zones: null,
      notes: ['power_zones: VO2max does not determine them. Store your FTP with set_fitness_config.'],
    });
  });
});

test('the stored FTP gives power zones, and the medical profile marks the zones above 80 %', async () => {
  const client = await stack.connect();
  await callJson(client, 'update_user_configuration', { profile: 'medical', parameters: { ftp: 200 } });
  const zones = await callJson<{ power_zones: object[]; heart_rate_zones: { allowed: boolean }[] }>(
    client,
    'calculate_personalized_zones',
    { vo2_max: 40 },
  );
  expect(zones).toMatchObject({ notes: ['Your configuration allows at most 80 % of heart rate reserve.'] });
  expect(zones.heart_rate_zones.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
  expect(zones.power_zones).toEqual([
    { zone: 1, min_w: 0, max_w: 110 },
    { zone: 2, min_w: 110, max_w: 150 },
    { zone: 3, min_w: 150, max_w: 180 },
    { zone: 4, min_w: 180, max_w: 210 },
    { zone: 5, min_w: 210, max_w: null },
  ]);
  // The fitness configuration takes precedence.
  await callJson(client, 'set_fitness_config', { configuration: { ftp: 300 } });
  expect(await callJson(client, 'calculate_personalized_zones', { vo2_max: 40 })).toMatchObject({
    power_zones: [{ max_w: 165 }, {}, {}, {}, {}],
  });
});

test('paces that the equations do not have are null with the reason', async () => {
  const client = await stack.connect();
  expect(
    await callJson(client, 'calculate_personalized_zones', { vo2_max: 85, sport_efficiency: 1.2 }),
  ).toMatchObject({
    paces: null,
    notes: [
      'paces: VDOT is 102 ml/kg/min: expected 15 to 90 ml/kg/min. It is vo2_max · sport_efficiency.',
      'power_zones: VO2max does not determine them. Store your FTP with set_fitness_config.',
    ],
  });
});

test('a value that contradicts a stored one is rejected, and nothing changes', async () => {
  const client = await stack.connect();
  const stored = await callJson(client, 'update_user_configuration', { parameters: { lthr: 170 } });
  expect(
    await callTool(client, 'update_user_configuration', { profile: 'elite', parameters: { max_hr: 165 } }),
  ).toMatchObject({
    isError: true,
    text: 'Lactate threshold heart rate (170 bpm) must be below maximum heart rate (165 bpm). One of them is a stored value.\nSuggestion: Change both, or reset the stored one with null.',
  });
  expect(await callJson(client, 'get_user_configuration')).toEqual(stored);
  expect(await callJson(client, 'validate_configuration', { parameters: { max_hr: 165 } })).toMatchObject({
    valid: false,
  });
  await callJson(client, 'update_user_configuration', { parameters: { max_hr: 165, lthr: null } });
});

test('nobody sees the parameters of another caller', async () => {
  const user = await stack.connect();
  await callJson(user, 'update_user_configuration', { profile: 'elite', parameters: { ftp: 300 } });
  const other = await stack.connect({ caller: 'starter' });
  const found = await callJson<Parameters>(other, 'get_user_configuration');
  expect(found).toMatchObject({ profile: 'recreational', updated_at: null });
  expect(found.parameters.every(({ source }) => source === 'default')).toBe(true);
});

test('format toon is a table', async () => {
  const client = await stack.connect();
  const { text } = await callTool(client, 'get_user_configuration', { format: 'toon' });
  expect(text.split('\n').slice(0, 4)).toEqual([
    'profile: recreational',
    'updated_at: null',
    'parameters[13]{parameter,value,source}:',
    '  max_hr,null,default',
  ]);
});

test('anonymous callers have the three public tools, and none that stores', async () => {
  const client = await stack.connect({ caller: 'anonymous' });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => name.includes('config'))).toEqual([
    'get_configuration_catalog',
    'get_configuration_profiles',
    'validate_configuration',
  ]);
  await expect(callTool(client, 'update_user_configuration', { profile: 'elite' })).rejects.toThrow(
    /Unknown tool/,
  );
});

test('the advertised parameters have bounds, choices and null', async () => {
  const client = await stack.connect();
  const advertised = await findArgument(client, 'update_user_configuration', 'parameters');
  const { properties, additionalProperties } = advertised as {
    readonly properties: Readonly<Record<string, object>>;
    readonly additionalProperties: boolean;
  };
  expect(additionalProperties).toBe(false);
  expect(properties['max_hr']).toEqual({
    anyOf: [{ type: 'number', minimum: 100, maximum: 220, description: 'bpm' }, { type: 'null' }],
  });
  expect(properties['load_smoothing']).toEqual({
    anyOf: [{ type: 'string', enum: ['time_constant', 'span'] }, { type: 'null' }],
  });
});
