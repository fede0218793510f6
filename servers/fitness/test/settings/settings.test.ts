import { expect, test } from 'vitest';
import { readSettings } from '../../src/settings/settings.ts';

test('without variables, the server has the defaults', () => {
  expect(readSettings({ FITNESS_EXPOSURE: ' ' })).toEqual({
    databaseFile: '.data/fitness.db',
    user: undefined,
    filesFolder: undefined,
    key: undefined,
    strava: undefined,
    disabledTools: new Set(),
    exposure: 'flat',
    invalidArguments: 'protocol-error',
    logLevel: 'warning',
  });
});

test('Strava is configured with its client, its callback and its limits', () => {
  const environment = {
    FITNESS_KEY: 'key',
    FITNESS_STRAVA_CLIENT_ID: '7',
    FITNESS_STRAVA_CLIENT_SECRET: 'secret',
    FITNESS_STRAVA_CALLBACK_PORT: '8123',
    FITNESS_STRAVA_REQUESTS_15_MIN: '200',
  };
  expect(readSettings(environment).strava).toEqual({
    clientId: '7',
    clientSecret: 'secret',
    callbackPort: 8123,
    limits: { quarterHour: 200 },
  });
});

const STRAVA = { FITNESS_KEY: 'k', FITNESS_STRAVA_CLIENT_ID: '7', FITNESS_STRAVA_CLIENT_SECRET: 's' };

test.each([
  [
    { FITNESS_EXPOSURE: 'tree' },
    'FITNESS_EXPOSURE must be one of flat, grouped, search, auto; received "tree".',
  ],
  [
    { FITNESS_INVALID_ARGUMENTS: 'error' },
    'FITNESS_INVALID_ARGUMENTS must be one of protocol-error, tool-error; received "error".',
  ],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of warning, debug, info, error; received "loud".'],
  [{ FITNESS_DISABLED_TOOLS: 'get_stat' }, 'Unknown tool "get_stat" in FITNESS_DISABLED_TOOLS'],
  [{ FITNESS_FILES: '.' }, 'FITNESS_FILES needs FITNESS_USER: the user who the files belong to.'],
  [
    { FITNESS_STRAVA_CLIENT_ID: '7' },
    'FITNESS_STRAVA_CLIENT_ID needs FITNESS_STRAVA_CLIENT_SECRET, which is not set.',
  ],
  [
    { FITNESS_STRAVA_CLIENT_SECRET: 's' },
    'FITNESS_STRAVA_CLIENT_SECRET needs FITNESS_STRAVA_CLIENT_ID, which is not set.',
  ],
  [{ ...STRAVA, FITNESS_KEY: '' }, 'FITNESS_STRAVA_CLIENT_ID needs FITNESS_KEY, which is not set.'],
  [
    { ...STRAVA, FITNESS_STRAVA_CALLBACK_PORT: '70000' },
    'FITNESS_STRAVA_CALLBACK_PORT must be an integer from 0 to 65535; received "70000".',
  ],
  [
    { ...STRAVA, FITNESS_STRAVA_REQUESTS_DAY: '1e3' },
    'FITNESS_STRAVA_REQUESTS_DAY must be an integer from 1 to 10000000; received "1e3".',
  ],
])('%j is rejected', (environment, message) => {
  expect(() => readSettings(environment)).toThrow(message);
});
