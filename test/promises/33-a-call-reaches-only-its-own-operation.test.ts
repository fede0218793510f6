import fc from 'fast-check';
import { expect } from 'vitest';
import { startAsking } from './support/asking.ts';
import type { Weakness } from './support/child-server.ts';
import { isLong, promise } from './support/promise.ts';

const VALUES = isLong ? 20_000 : 2000;
const AT_ONCE = 8;

/** What leads elsewhere in paths, queries and headers. */
const piece = fc.constantFrom(
  '..',
  '.',
  '%2e%2e',
  '%2E',
  '..%2f',
  '%2f',
  '/',
  '//',
  '\\',
  '%5c',
  '?',
  '#',
  ';',
  '&',
  '=',
  '\r\n',
  '\n',
  'x-evil: 1',
  ' ',
  '\0',
  '%00',
  '\u2024',
  '\uFF0E',
  '\u3002',
  'a',
  'admin',
  ':',
  '@',
  '%',
  '\u00E4',
  '\u{1F600}',
);
const value = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));

promise('a call reaches only its own operation', {
  checks: { 'whatever its values are': check },
  timeoutMs: isLong ? 600_000 : 60_000,
  switches: [
    {
      defence: 'a look at values of the path',
      off: [
        {
          module: 'outbound/fill-path.js',
          find: 'function encodeValue(name, values) {',
          replace: 'function encodeValue(name, values) { return String(values[name]);',
        },
        {
          module: 'outbound/fill-path.js',
          find: 'function assertShape(path, shape) {',
          replace: 'function assertShape(path, shape) { return;',
        },
      ],
      red: /requests outside of the template/,
    },
  ],
});

async function check(without: readonly Weakness[]): Promise<void> {
  const outside: string[] = [];
  const injected: string[] = [];
  let received = 0;
  const { server, call } = await startAsking((request, response) => {
    received += 1;
    const { url = '', method, headers } = request;
    if (method !== 'GET' || !/^\/api\/users\/[^/?#\\]+\/notes(?:\?q=[^?#/]*)?$/.test(url))
      outside.push(`${method} ${url}`);
    const [, id = ''] = /^\/api\/users\/([^/]*)\//.exec(url) ?? [];
    if (/^(?:\.|%2e)*$/i.test(id)) outside.push(`${method} ${url}`);
    if (headers['x-evil'] !== undefined) injected.push(url);
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  }, without);
  const cases = fc.sample(fc.record({ id: value, q: value, h: value }), { numRuns: VALUES, seed: 33 });
  let answered = 0;
  const left = [...cases];
  const work = async (): Promise<void> => {
    for (let args = left.pop(); args !== undefined; args = left.pop()) {
      const { isError } = await call('get', args);
      if (!isError) answered += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(outside.slice(0, 5), 'requests outside of the template').toEqual([]);
  expect(injected, 'headers that were injected').toEqual([]);
  // What was refused was never sent, and what was sent was answered.
  expect(received, 'requests that were sent').toBe(answered);
  expect(received, 'values that are harmless').toBeGreaterThan(VALUES / 50);
  expect(server.isAlive, 'the server is alive').toBe(true);
}
