import { expect, test } from 'vitest';
import { readArguments } from '../../src/settings/arguments.ts';

test('without arguments, the server is on standard input and output', () => {
  expect(readArguments([])).toEqual({
    http: false,
    port: 3003,
    host: '127.0.0.1',
    allowHost: [],
    publicUrl: 'http://127.0.0.1:3003/mcp',
    client: undefined,
    help: false,
  });
});

test('over HTTP, the address for clients follows from host and port, or is given', () => {
  const hosts = ['--allow-host', 'a.example', '--allow-host', 'b.example'];
  expect(readArguments(['--http', '--port', '80', '--host', '::1', ...hosts])).toMatchObject({
    http: true,
    port: 80,
    host: '::1',
    allowHost: ['a.example', 'b.example'],
    publicUrl: 'http://[::1]:80/mcp',
  });
  const url = 'https://fit.example/mcp';
  expect(readArguments(['--http', '--public-url', url])).toMatchObject({ publicUrl: url });
});

test.each([
  [['--http', '--port', '70000'], '--port must be an integer from 0 to 65535; received "70000".'],
  [['--http', '--port', '8e3'], '--port must be an integer from 0 to 65535; received "8e3".'],
  [['--host', '::1'], '--host needs --http.'],
  [['--allow-host', 'x'], '--allow-host needs --http.'],
  [['--public-url', 'https://x/mcp'], '--public-url needs --http.'],
  [
    ['--http', '--public-url', 'x.example'],
    '--public-url must be an address such as https://example.com/mcp; received "x.example".',
  ],
  [
    ['--http', '--host', '0.0.0.0'],
    '--host 0.0.0.0 can be reached from other machines: name the host names of the server, such as --allow-host fitness.example.com.',
  ],
  [['start'], 'Unknown command "start": use a command or an option of --help.'],
  [['--https'], "Unknown option '--https'"],
])('%j is rejected', (args, message) => {
  expect(() => readArguments(args)).toThrow(message);
});
