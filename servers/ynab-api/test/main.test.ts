import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

test.each([
  [['--port', 'x'], 'Invalid --port "x": use an integer from 0 (any free port) to 65535.'],
  [['--bogus'], "Unknown option '--bogus'"],
  [
    ['--file', '/does/not/exist.db', '--port', '0'],
    'Cannot open the file /does/not/exist.db: check that its folder exists and is writable.',
  ],
])('%j ends with an error and the usage', (flags, message) => {
  const { status, stderr } = spawnSync(process.execPath, [main, ...flags], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  const [first, usage] = stderr.split('\n');
  expect([status, first]).toEqual([1, message]);
  expect(usage).toMatch(/^Usage: node dist\/main\.js /);
});
