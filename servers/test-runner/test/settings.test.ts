import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readArguments, toUrl } from '../src/settings/arguments.ts';
import { addKey, readKeys } from '../src/settings/keys.ts';
import { createProject, SAMPLE } from './support/project.ts';

test('defaults: the sample project, on standard input and output, for one caller', () => {
  expect(readArguments([])).toEqual({
    folder: SAMPLE,
    runner: undefined,
    timeout: 300,
    maxTimeout: 3_600,
    maxRuns: 4,
    passEnv: [],
    watch: false,
    http: false,
    port: 3_002,
    host: '127.0.0.1',
    allowHost: [],
    keys: undefined,
    addKey: undefined,
    client: undefined,
    help: false,
    options: [],
  });
  expect(readArguments(['--max-timeout', '60']).timeout).toBe(60);
});

test.each([
  [['--port', 'x', '--http'], '--port must be an integer from 0 to 65535; received "x".'],
  [['--keys', 'k.json'], '--keys needs --http: over standard input and output there is only one caller.'],
  [['--port', '80'], '--port needs --http.'],
  [['--allow-host=a'], '--allow-host needs --http.'],
  [['--host', '0.0.0.0', '--http'], '--host 0.0.0.0 needs --keys: calls run the code of the project'],
  [['--runner', 'nose'], '--runner must be one of '],
  [['--timeout', '0'], '--timeout must be an integer from 1 to 3600; received "0".'],
  [['--timeout', '90', '--max-timeout', '60'], '--timeout must be an integer from 1 to 60; received "90".'],
  [['--max-runs', '65'], '--max-runs must be an integer from 1 to 64; received "65".'],
  [['--pass-env', 'A=b'], '--pass-env must be the name of a variable; received "A=b".'],
  [['/missing/folder'], 'The folder /missing/folder does not exist.'],
  [['a', 'b'], 'Unexpected argument "b": the server runs the tests of one folder.'],
  [['--bogus'], "Unknown option '--bogus'"],
])('%j is rejected', (args, message) => {
  expect(() => readArguments(args)).toThrow(message);
});

test('the URL of an IPv6 address has brackets', () => {
  expect(toUrl({ host: '::1', port: 3_002 })).toBe('http://[::1]:3002/mcp');
  expect(toUrl({ host: 'localhost', port: 80 })).toBe('http://localhost:80/mcp');
});

test('a file of keys that is not one is rejected with its member', () => {
  const folder = createProject({ 'keys.json': '[{ "prefix": 1 }]', 'text.json': 'x' });
  const file = join(folder, 'keys.json');
  expect(() => readKeys(file)).toThrow(`${file}: 0.prefix: `);
  expect(() => readKeys(join(folder, 'text.json'))).toThrow('Cannot read the keys of ');
  writeFileSync(file, '[]');
  addKey(file, 'ada');
  expect(() => addKey(file, 'ada')).toThrow(`${file}: the caller "ada" already exists.`);
});
