import { expect } from 'vitest';
import { postModern } from '../support/raw-http.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { openLegacy, writeModern } from './support/messages.ts';
import { Poster } from './support/poster.ts';
import { isLong, promise } from './support/promise.ts';

const REFUSED = '400 -32600: Invalid message: it has more than 50000 values.';
const TOO_LARGE = '413 -32600: The body is larger than 4194304 bytes.';

const STRUCTURES: Readonly<Record<string, { readonly text: () => string; readonly answer: string }>> = {
  '200,000 keys': {
    text: () => `{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    answer: REFUSED,
  },
  '1,000,000 numbers': { text: () => `[${'1,'.repeat(999_999)}1]`, answer: REFUSED },
  '50,000 numbers': { text: () => `[${'1,'.repeat(49_999)}1]`, answer: REFUSED },
  '49,900 numbers': { text: () => `[${'1,'.repeat(49_899)}1]`, answer: '200 answered' },
  'a string of 4 MB': { text: () => JSON.stringify('x'.repeat(4_000_000)), answer: '200 answered' },
  'a string of 4 MiB': { text: () => JSON.stringify('x'.repeat(4_194_304)), answer: TOO_LARGE },
  '10,000 times the same key': { text: () => `{${'"k":1,'.repeat(9999)}"k":1}`, answer: '200 answered' },
};

/** Integer keys: V8 stores them like array elements, with space for those in between. */
const SPARSE: typeof STRUCTURES = {
  // A copy of each would take 12 kilobytes.
  '24,000 objects with the key "1023"': {
    text: () => `[${'{"1023":1},'.repeat(23_999)}{}]`,
    answer: REFUSED,
  },
  'a record of the ids 1 to 1,000': {
    text: () => JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, id) => [id + 1, id]))),
    answer: '200 answered',
  },
};

const PLACES: Readonly<Record<string, object>> = {
  params: { more: 'LARGE' },
  arguments: { arguments: { large: 'LARGE' } },
  _meta: { _meta: { large: 'LARGE' } },
};

const NUMBERED = 'also what is kept of keys that are whole numbers';
const ECHO_CHECK = 'a long key is not repeated in what is wrong with it';
const CHECKED = 'also what a check of a small value takes';
const ISSUES = 'also what is collected about a large value that is wrong everywhere';

promise('the size of a structure is bounded', {
  checks: {
    'structures that are too large are rejected, the others accepted': (without) =>
      check(without, STRUCTURES),
    [NUMBERED]: (without) => check(without, SPARSE),
    [ECHO_CHECK]: checkEchoes,
    [CHECKED]: checkCosts,
    [ISSUES]: checkIssues,
  },
  switches: [
    {
      defence: 'the count of issues before a validator runs',
      off: [{ module: 'schema/checks/bound-issues.js', defence: 'bound-of-issues' }],
      check: ISSUES,
      red: /what zod answers/,
    },
    {
      defence: 'the limit on errors of a JSON Schema',
      off: [{ module: 'schema/ajv/ajv-compiler.js', defence: 'bound-of-schema-errors' }],
      check: ISSUES,
      red: /what negated answers/,
    },
    {
      defence: 'the count of holes between integer keys',
      off: [{ module: 'wire/messages/scan-json.js', defence: 'empty-places-in-arrays' }],
      check: NUMBERED,
      red: /objects with the key "1023"/,
    },
    {
      defence: 'the cache of a long check',
      off: [
        { module: 'schema/ajv/check-budget.js', defence: 'memory-of-a-long-check', by: 'return undefined;' },
      ],
      check: CHECKED,
      red: /no answer/,
    },
    {
      defence: 'the limit on steps of a check',
      off: [{ module: 'schema/ajv/check-budget.js', defence: 'steps-of-a-check' }],
      check: CHECKED,
      red: /no answer/,
    },
    {
      defence: 'sets of values',
      off: [{ module: 'schema/ajv/ajv-compiler.js', defence: 'sets-of-values' }],
      check: CHECKED,
      red: /no answer/,
    },
    {
      defence: 'the limit on the number of values',
      off: [{ module: 'wire/messages/scan-json.js', defence: 'number-of-values' }],
      red: /200,000 keys in params/,
    },
    {
      defence: 'cutting of long keys',
      check: ECHO_CHECK,
      off: [{ module: 'base/cut-text.js', defence: 'cut-of-long-keys' }],
      red: /bytes of the answer/,
    },
    {
      defence: 'paths without escapes',
      check: ECHO_CHECK,
      off: [{ module: 'schema/ajv/ajv-compiler.js', defence: 'paths-without-escapes', by: 'false' }],
      red: /json_schema: (?:ms of the call|the answer)/,
    },
  ],
});

const LONG_KEY = 'k'.repeat(400_000);
/** The longest name that also fits into a header: Node accepts 16 KiB of headers. */
const LONG_NAME = 'k'.repeat(10_000);
const CALLS: readonly (readonly [string, string])[] = [
  ['tools/call', 'json_schema'],
  ['tools/call', 'record'],
  ['tools/call', 'strict'],
  ['tools/call', 'rejecting'],
  ['tools/call', 'both'],
  ['prompts/get', 'greet'],
];

async function checkEchoes(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('echoing-http.mjs', { without });
  const poster = new Poster(server.port, 1);
  const writers = { '2026-07-28': writeModern, '2025-11-25': await openLegacy(poster) };
  const spent = async (): Promise<number> => {
    const asked = server.hear<{ spentMs: number }>('spentMs');
    server.process.send('spent');
    return (await asked).spentMs;
  };
  const args = { [LONG_KEY]: Array.from({ length: 20_000 }, () => 1) };
  for (const [revision, write] of Object.entries(writers)) {
    for (const [method, name] of CALLS) {
      const before = await spent();
      const { text } = await poster.send(write(method, { name, arguments: args }));
      expect((await spent()) - before, `${name}: ms of the call (${revision})`).toBeLessThan(2000);
      expect(text.length, `${name}: bytes of the answer (${revision})`).toBeLessThan(100_000);
      expect(text, `${name}: the answer (${revision})`).toContain('k…');
    }
    const { text } = await poster.send(write('tools/call', { name: LONG_NAME }));
    expect(text.length, `an unknown tool: bytes of the answer (${revision})`).toBeLessThan(1000);
    const method = await poster.send(write(LONG_NAME, {}));
    expect(method.text.length, `an unknown method: bytes of the answer (${revision})`).toBeLessThan(1000);
  }
}

async function check(without: readonly Weakness[], structures: typeof STRUCTURES): Promise<void> {
  const server = await ChildServer.listen('measure-http.mjs', { without });
  const poster = new Poster(server.port, 1);
  const writers = { '2026-07-28': writeModern, '2025-11-25': await openLegacy(poster) };
  if (isLong) await server.watchDelay();
  for (const [name, { text, answer }] of Object.entries(structures)) {
    const large = text();
    for (const [place, params] of Object.entries(PLACES)) {
      for (const [revision, write] of Object.entries(writers)) {
        const { headers, body } = write('tools/call', { name: 'measure', ...params });
        const sent = await poster.send({ headers, body: body.replace('"LARGE"', () => large) });
        const { error } = JSON.parse(sent.text) as { error?: { code: number; message: string } };
        const said = error === undefined ? 'answered' : `${error.code}: ${error.message}`;
        expect(`${sent.status} ${said}`, `${name} in ${place} (${revision})`).toBe(answer);
      }
    }
  }
  if (!isLong) return;
  const { maxDelayMs } = await server.usage();
  expect(maxDelayMs, 'the longest the event loop was held up, in ms').toBeLessThanOrEqual(200);
}

function nested(depth: number, leaf: unknown, wrap: (value: unknown) => unknown): unknown {
  let value = leaf;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

const inNext = (next: unknown): unknown => ({ next });
const inList = (element: unknown): unknown => [element];
const TOO_EXPENSIVE = /\(arguments\): takes too many steps to validate/;
const elements = Array.from({ length: 15_000 }, (_, id) => ({ id, name: `n${id}` }));

/** Tools of `apps/schema-checked-http.mjs`, their arguments, and the expected results. */
const COSTS: readonly (readonly [name: string, args: object, answer: RegExp])[] = [
  ['any_of', { root: nested(60, { n: 1 }, inNext) }, /^taken$/],
  ['any_of', { root: nested(60, { n: 'x' }, inNext) }, /n: must be integer/],
  ['one_of', { root: nested(60, { n: 1 }, inNext) }, /must match exactly one schema in oneOf/],
  ['contains', { root: nested(60, [1], inList) }, /^taken$/],
  ['dynamic', { root: nested(4, { n: 1 }, inNext) }, /^taken$/],
  ['dynamic', { root: nested(60, { n: 'x' }, inNext) }, TOO_EXPENSIVE],
  ['unique', { list: elements }, /^taken$/],
  ['unique', { list: [...elements, { name: 'n7', id: 7 }] }, /list: must NOT have duplicate items/],
  ['listed', { list: Array.from({ length: 40_000 }, () => 'value 19999') }, /^taken$/],
];

/** With a defence turned off, do not wait for the full timeout. */
function patienceFor(without: readonly Weakness[]): number {
  return without.length > 0 ? 3000 : 30_000;
}

async function checkCosts(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('schema-checked-http.mjs', { without });
  const patienceMs = patienceFor(without);
  if (isLong) await server.watchDelay();
  for (const [name, args, answer] of COSTS) {
    const asked = postModern(server.url, { method: 'tools/call', params: { name, arguments: args } });
    const said = await Promise.race([asked.then(({ result }) => textOf(result)), noAnswerWithin(patienceMs)]);
    expect(said, `what ${name} answers`).toMatch(answer);
  }
  if (!isLong) return;
  const { maxDelayMs } = await server.usage();
  expect(maxDelayMs, 'the longest the event loop was held up, in ms').toBeLessThanOrEqual(400);
}

async function checkIssues(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('many-issues-http.mjs', {
    without,
    execArgv: ['--max-old-space-size=256'],
  });
  const list = Array.from({ length: 24_900 }, () => ({}));
  const patienceMs = patienceFor(without);
  const { cpuMicros, peakBytes } = await server.usage();
  const names = [
    'zod',
    'zod_nullable',
    'valibot',
    'arktype',
    'json_schema',
    'conditional',
    'dynamic',
    'negated',
  ];
  for (const name of names) {
    const asked = postModern(server.url, { method: 'tools/call', params: { name, arguments: { list } } });
    const answered = asked.then(
      ({ result }) => textOf(result),
      () => 'no answer',
    );
    const said = await Promise.race([answered, noAnswerWithin(patienceMs)]);
    expect(said, `what ${name} answers`).toMatch(
      /list\[0\](?:\.r0)?: .*has more problems that are not listed/s,
    );
  }
  const used = await server.usage();
  expect((used.cpuMicros - cpuMicros) / 1000, 'ms of CPU for eight calls').toBeLessThan(8000);
  // Without the memory of an idle server, which grows with every version of Node.
  expect(used.peakBytes - peakBytes, 'bytes for eight calls').toBeLessThan(96_000_000);
}

function textOf(result: unknown): string {
  return (result as { content?: { text?: string }[] } | undefined)?.content?.[0]?.text ?? '';
}

function noAnswerWithin(ms: number): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, 'no answer').unref();
  });
}
