import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { expect } from 'vitest';
import { postModern } from '../support/raw-http.ts';
import { startAsking } from './support/asking.ts';
import type { Weakness } from './support/weaken.ts';
import { isLong, promise } from './support/promise.ts';

const VALUES = isLong ? 20_000 : 2000;
/** For runs with a defence turned off. */
const FEW_VALUES = 500;
const AT_ONCE = 8;

/** Strings that could change the target of a request, in paths, queries and headers. */
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

const MEANT = 'with integers that have all their digits, and nothing that was not checked';
const IMPORTED = 'also as an operation of a document, in every style';

promise('a call reaches only its own operation', {
  checks: { 'whatever its values are': check, [IMPORTED]: checkImported, [MEANT]: checkMeant },
  timeoutMs: isLong ? 600_000 : 180_000,
  switches: [
    {
      defence: 'the check of integers',
      off: [
        {
          module: 'schema/convert/exact-integers.js',
          defence: 'exact-integers',
          by: 'return { value: arguments[0], issues: [] };',
        },
      ],
      check: MEANT,
      red: /requests that arrive/,
    },
    {
      defence: 'digits in results',
      off: [
        {
          module: 'openapi/response/body/exact-json.js',
          defence: 'digits-in-answers',
          by: 'return toPlain(arguments[0]);',
        },
      ],
      check: MEANT,
      red: /the id of an answer/,
    },
    {
      defence: 'the rejection of unchecked arguments',
      off: [
        {
          module: 'schema/ajv/ajv-compiler.js',
          defence: 'refusal-of-what-is-not-checked',
          by: 'return { issues: [], isEnded: false };',
        },
      ],
      check: MEANT,
      red: /requests that arrive/,
    },
    {
      defence: 'the check of path values',
      off: [
        {
          module: 'outbound/fill-path.js',
          defence: 'values-of-a-path',
          by: 'return String(arguments[1][arguments[0]]);',
        },
        {
          module: 'outbound/fill-path.js',
          defence: 'encoded-values-of-a-path',
          by: 'return arguments[1].get(arguments[0]);',
        },
        { module: 'outbound/fill-path.js', defence: 'shape-of-a-path' },
      ],
      red: /requests outside of the template/,
    },
    {
      defence: 'the check of single path values',
      off: [
        {
          module: 'openapi/request/path-values.js',
          defence: 'single-values-of-a-path',
          by: 'return arguments[1];',
        },
        {
          module: 'outbound/fill-path.js',
          defence: 'encoded-values-of-a-path',
          by: 'return arguments[1].get(arguments[0]);',
        },
        { module: 'outbound/fill-path.js', defence: 'shape-of-a-path' },
      ],
      check: IMPORTED,
      red: /requests outside of the template/,
    },
    {
      defence: 'encoding in the query',
      off: [
        { module: 'outbound/percent-encode.js', defence: 'encoding-of-a-query', by: 'return arguments[0];' },
      ],
      check: IMPORTED,
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
    // Some servers remove everything after a `;` before they resolve dot segments.
    if (/^(?:\.|%2e)*$|^(?:\.|%2e)+(?:;|%3b)/i.test(id)) outside.push(`${method} ${url}`);
    if (headers['x-evil'] !== undefined) injected.push(url);
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  }, without);
  const numRuns = without.length > 0 ? FEW_VALUES : VALUES;
  const cases = fc.sample(fc.record({ id: value, q: value, h: value }), { numRuns, seed: 33 });
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
  // Rejected requests were never sent, and every sent request has a response.
  expect(received, 'requests that were sent').toBe(answered);
  expect(received, 'values that are harmless').toBeGreaterThan(VALUES / 50);
  expect(server.isAlive, 'the server is alive').toBe(true);
}

/** The operations of `apps/imported-http.mjs`, and their arguments. */
const TEXTS = [
  'simple',
  'label',
  'matrix',
  'reserved',
  'json',
  'spanning',
  'greedy',
  'form',
  'form_reserved',
  'header',
  'header_json',
  'cookie',
];
const LISTS = [
  'simple_list',
  'label_list',
  'matrix_list',
  'form_list',
  'pipes',
  'spaces',
  'header_list',
  'cookie_list',
];
const OBJECTS = ['simple_object', 'label_object', 'matrix_object', 'deep', 'json_query'];
const PAIRS = ['joined', 'written'];
const IN_PATH = /^(?:simple|label|matrix|reserved|json$|joined|spanning|greedy)/;
/** Operations with a parameter that may span segments. */
const SPANNING = /^(?:spanning|greedy)$/;

const call = fc.oneof(
  {
    weight: TEXTS.length,
    arbitrary: fc.record({ name: fc.constantFrom(...TEXTS), args: fc.record({ value }) }),
  },
  {
    weight: LISTS.length,
    arbitrary: fc.record({
      name: fc.constantFrom(...LISTS),
      args: fc.record({ value: fc.array(value, { maxLength: 3 }) }),
    }),
  },
  {
    weight: OBJECTS.length,
    arbitrary: fc.record({
      name: fc.constantFrom(...OBJECTS),
      args: fc.record({ value: fc.record({ a: value, b: value }, { requiredKeys: [] }) }),
    }),
  },
  {
    weight: PAIRS.length,
    arbitrary: fc.record({ name: fc.constantFrom(...PAIRS), args: fc.record({ one: value, two: value }) }),
  },
);

/** Parts of a request that its operation does not describe; empty if there are none. */
function findStrange(name: string, { url = '', method = '', headers }: IncomingMessage): string[] {
  const [path = '', ...queries] = url.split('?');
  const strange: string[] = [];
  const segments = path.split('/');
  const filled = IN_PATH.test(name) ? segments.slice(3, SPANNING.test(name) ? -1 : 4) : [];
  const values = filled.map(() => undefined);
  const shape = IN_PATH.test(name) ? ['', 'api', name, ...values, 'end'] : ['', 'api', name, 'end'];
  const fits =
    segments.length === shape.length &&
    shape.every((text, index) => text === undefined || text === segments[index]);
  if (method !== 'GET' || !fits) strange.push('path');
  if (IN_PATH.test(name) && filled.length === 0) strange.push('path');
  // As it is, and as servers read it that decode once or twice.
  for (const text of filled.flatMap((each) => [each, decode(each), decode(decode(each))]))
    if (isStrange(text)) strange.push('value');
  // An encoded slash belongs to a value of one segment, and is encoded once.
  const most = SPANNING.test(name) ? 0 : countSlashes(decode(filled.join('')));
  if (filled.some((each) => countSlashes(decode(decode(each))) > most)) strange.push('value');
  const pairs = queries.join('?').split('&').filter(Boolean);
  const known = name === 'written' ? /^(?:one|two)=/ : name === 'deep' ? /^value%5B[ab]%5D=/ : /^value=/;
  const mostPairs =
    name === 'written'
      ? 2
      : name === 'form_list'
        ? 3
        : name === 'deep'
          ? 2
          : IN_PATH.test(name) || /^(?:header|cookie)/.test(name)
            ? 0
            : 1;
  if (pairs.length > mostPairs || pairs.some((pair) => !known.test(pair)) || /[#\s]/.test(url))
    strange.push('query');
  return strange.map(
    (what) => `${what} of ${name}: ${method} ${url} ${JSON.stringify(headers.cookie ?? '')}`,
  );
}

/** Dot segments, also for servers that remove everything after a `;`; empty segments; characters that no path should have. */
function isStrange(text: string): boolean {
  const parts = text.split('/');
  const isDots = (part: string): boolean => /^[.\u2024\u2025\u2026\uFF0E\u3002]+(?:;|$)/.test(part);
  return parts.some(isDots) || parts.every((part) => part === '') || /[\\\0\r\n]/.test(text);
}

function countSlashes(text: string): number {
  return text.split('/').length - 1;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const HEADERS = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'];

/** Headers and cookies that the operation does not have. */
function findInjected(name: string, { headers }: IncomingMessage): string[] {
  const own = name.startsWith('header') ? ['value'] : name.startsWith('cookie') ? ['cookie'] : [];
  const others = Object.keys(headers).filter((header) => ![...HEADERS, ...own].includes(header));
  const cookies = (headers.cookie ?? '')
    .split(/[;,]\s*/)
    .filter((pair) => pair !== '' && !pair.startsWith('value='));
  return [...others, ...cookies].map((found) => `${found} of ${name}`);
}

async function checkImported(without: readonly Weakness[]): Promise<void> {
  const [outside, injected, names]: [string[], string[], Set<string>] = [[], [], new Set()];
  let received = 0;
  const upstream = createServer((request, response) => {
    received += 1;
    // One is called at a time.
    const name = String(calling);
    names.add(name);
    outside.push(...findStrange(name, request));
    injected.push(...findInjected(name, request));
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  const { server, call: callTool } = await startAsking(upstream, without, 'imported-http.mjs');
  let calling: string | undefined;
  let answered = 0;
  const numRuns = without.length > 0 ? FEW_VALUES : VALUES;
  for (const { name, args } of fc.sample(call, { numRuns, seed: 33 })) {
    calling = name;
    const { isError } = await callTool(name, args);
    if (!isError) answered += 1;
  }
  expect(outside.slice(0, 5), 'requests outside of the template').toEqual([]);
  expect(injected.slice(0, 5), 'headers that were injected').toEqual([]);
  expect(received, 'requests that were sent').toBe(answered);
  expect(names.size, 'operations that were reached').toBe(
    TEXTS.length + LISTS.length + OBJECTS.length + PAIRS.length,
  );
  expect(received, 'values that are harmless').toBeGreaterThan(VALUES / 50);
  expect(server.isAlive, 'the server is alive').toBe(true);
}

async function checkMeant(without: readonly Weakness[]): Promise<void> {
  const arrived: string[] = [];
  const upstream = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      arrived.push(`${request.method} ${request.url} ${body}`.trim());
      response.setHeader('content-type', 'application/json');
      response.end('{"id":9007199254740993}');
    });
  });
  const { server, call: callTool } = await startAsking(upstream, without, 'imported-http.mjs');
  // JSON numbers are rounded before they arrive.
  const rounded = 9_007_199_254_740_992;
  const { text } = await callTool('remove_user', { id: rounded });
  await callTool('add_user', { friends: [{ id: rounded }] });
  await callTool('add_user', { unknown: rounded });
  let root: object = {};
  for (let level = 0; level < 60; level += 1) root = { next: root };
  await callTool('add_tree', { root, mode: 'danger' });
  await callTool('remove_user', { id: '9007199254740993' });
  await callTool('remove_user', { id: '9223372036854775808' });
  await callTool('add_user', { id: '9007199254740993', friends: [{ id: '-9223372036854775808' }] });
  expect(arrived, 'requests that arrive').toEqual([
    'DELETE /users/9007199254740993',
    'POST /users {"id":9007199254740993,"friends":[{"id":-9223372036854775808}]}',
  ]);
  expect(text, 'why a rounded id is refused').toContain('where JSON numbers are rounded');
  const read = await postModern(server.url, { method: 'tools/call', params: { name: 'get_user' } });
  expect(read.result, 'the id of an answer').toMatchObject({
    content: [{ text: '{"id":9007199254740993}' }],
    structuredContent: { id: '9007199254740993' },
  });
}
