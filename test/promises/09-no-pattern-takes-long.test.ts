import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { expect } from 'vitest';
import { compilePattern } from '../../src/schema/expressions/pattern.ts';
import { judgePattern } from '../../src/pattern-judge/judge-pattern.ts';
import { postModern, RawSession } from '../support/raw-http.ts';
import { evilPatterns } from '../unit/schema/patterns/samples.ts';
import type { EvilPattern } from '../unit/schema/patterns/samples.ts';
import { listenHere } from './support/asking.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { Importer } from './support/importing.ts';
import { isLong, promise } from './support/promise.ts';

const APP = 'patterned-http.mjs';
const LENGTH = 50_000;
const MAX_DELAY_MS = 200;

const LINEAR_JUDGE = 'return toLinear({ fixed: 0, each: 0, most: 0 });';

interface Loaded {
  readonly taken: readonly string[];
  readonly refused: number;
  readonly takenTemplates: readonly string[];
  readonly names: readonly string[];
}

/** `every`: uses one in so many evil patterns. */
async function load(
  without: readonly Weakness[],
  every: number,
): Promise<{ server: ChildServer; loaded: Loaded; patienceMs: number }> {
  const server = await ChildServer.listen(APP, { without, env: { EVERY: String(every) } });
  const answer = server.hear<Loaded>('taken');
  server.process.send('loaded');
  // With a defence turned off, do not wait for the full timeout.
  return { server, loaded: await answer, patienceMs: without.length > 0 ? 1000 : 15_000 };
}

type Params = Readonly<Record<string, unknown>>;

/**
 * Sends requests one after the other, and stops at the first without a response: a server that is busy with a pattern responds to no
 * request.
 */
async function findUnanswered(
  requests: readonly { readonly title: string; readonly send: () => Promise<unknown> }[],
  patienceMs: number,
): Promise<string[]> {
  for (const { title, send } of requests) {
    const answer = await Promise.race([send().catch(String), noAnswerWithin(patienceMs)]);
    if (!/"(?:result|error)":\{/.test(JSON.stringify(answer))) return [`${title}: ${JSON.stringify(answer)}`];
  }
  return [];
}

function noAnswerWithin(ms: number): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, 'no answer').unref();
  });
}

/** A call of a tool. */
function toRequest(
  server: ChildServer,
  name: string,
  given: Params,
): { title: string; send: () => Promise<unknown> } {
  const params = { name, arguments: given };
  return { title: name, send: () => postModern(server.url, { method: 'tools/call', params }) };
}

async function expectNoDelay(server: ChildServer): Promise<void> {
  if (!isLong) return;
  const { maxDelayMs } = await server.usage();
  expect(maxDelayMs, 'the longest the event loop was held up, in ms').toBeLessThanOrEqual(MAX_DELAY_MS);
}

async function slowPatternsAreRefused(without: readonly Weakness[]): Promise<void> {
  const { loaded } = await load(without, without.length > 0 ? 8 : 1);
  const isExponential = ({ pattern, flags }: EvilPattern): boolean =>
    judgePattern(new RegExp(pattern, flags)).kind === 'exponential';
  const exponential = new Set(evilPatterns.filter(isExponential).map(({ pattern }) => pattern));
  expect(exponential.size, 'the number of exponential patterns').toBe(40);
  const taken = loaded.taken.filter((name) => exponential.has(name.replace(/^\w+ /, '')));
  expect(taken, 'evil patterns that were taken').toEqual([]);
  expect(loaded.refused, 'evil patterns that were refused').toBe(118);
  expect(loaded.takenTemplates, 'evil templates that were taken').toEqual([]);
}

/** Strings made for a pattern: one that exceeds its bound, and one at the bound. */
function attacksOn({ pattern, flags }: EvilPattern): readonly string[] {
  const verdicts = [new RegExp(pattern, flags), compilePattern(pattern)].map(judgePattern);
  return verdicts.flatMap((verdict) =>
    'example' in verdict && verdict.example !== undefined
      ? [verdict.example(LENGTH), verdict.example(verdict.maxLength)]
      : [],
  );
}

/** Patterns that are slow on strings which none of their loops suggests, and variants with other syntax. */
const UNSUSPECTED: readonly (readonly [name: string, text: string])[] = [
  ['spaces', ' '],
  ['others', ' '],
  ['lines', '\n'],
  ['ignoring_case', ' '],
  ['lazy', ' '],
  ['look_behind', 'b'],
  ['reference', 'a'],
];

async function unsuspectedPatternsAreHarmless(without: readonly Weakness[]): Promise<void> {
  const { server, patienceMs } = await load(without, 1000);
  if (isLong) await server.watchDelay();
  const calls = UNSUSPECTED.flatMap(([name, text]) => [
    toRequest(server, `unsuspected_${name}`, { text: text.repeat(LENGTH) }),
    toRequest(server, `returned_${name}`, { text: text.repeat(LENGTH) }),
  ]);
  for (const call of calls) {
    const { cpuMicros } = await server.usage();
    expect(await findUnanswered([call], patienceMs), 'attacks on unsuspected patterns').toEqual([]);
    // CPU time, not time spent waiting for a processor: the machine is shared.
    const spentMs = ((await server.usage()).cpuMicros - cpuMicros) / 1000;
    expect(spentMs, `ms that ${call.title} held up the event loop`).toBeLessThanOrEqual(MAX_DELAY_MS);
  }
  await expectNoDelay(server);
}

async function boundedPatternsAreHarmless(without: readonly Weakness[]): Promise<void> {
  const every = isLong ? 1 : 8;
  const { server, loaded, patienceMs } = await load(without, every);
  if (isLong) await server.watchDelay();
  const calls = evilPatterns.flatMap((evil, index) =>
    ['zod', 'json', 'keys']
      .map((way) => `${way}_${index}`)
      .filter((name) => loaded.names.includes(name))
      .flatMap((name) =>
        attacksOn(evil).map((text) =>
          toRequest(server, name, name.startsWith('keys') ? { [text]: 'x' } : { text }),
        ),
      ),
  );
  expect(calls.length, 'the number of attacks').toBeGreaterThan(900 / every);
  expect(await findUnanswered(calls, patienceMs), 'attacks on bounded patterns').toEqual([]);
  await expectNoDelay(server);
}

/** Strings on which slow expressions are slow. */
const TEXTS = [
  'a',
  '0',
  ' ',
  '.',
  '-',
  '/',
  '"',
  '@',
  ':',
  '%',
  '{',
  'a@',
  'a.',
  'a-',
  '1.',
  '{a',
  '::',
  '\u{1F9B0}',
];

async function formatsAreHarmless(without: readonly Weakness[]): Promise<void> {
  const { server, loaded, patienceMs } = await load(without, 1000);
  if (isLong) await server.watchDelay();
  const names = loaded.names.filter((name) => /^(?:ajv|zod)_[a-z]/.test(name));
  expect(names.length, 'the number of formats').toBeGreaterThan(20);
  const { fullFormats } = createRequire(import.meta.url)('ajv-formats/dist/formats.js') as {
    fullFormats: { url: RegExp };
  };
  const ofUrls = judgePattern(fullFormats.url);
  // Longer, so that the cost is visible on a busy machine.
  const url = ofUrls.kind === 'bounded' ? (ofUrls.example?.(LENGTH * 3) ?? '') : '';
  const calls = [
    toRequest(server, 'number', { text: `0.1${'0'.repeat(LENGTH)}1` }),
    ...names.flatMap((name) =>
      [url, ...TEXTS.map((text) => `${text.repeat(LENGTH / text.length)}\n`)].map((text) =>
        toRequest(server, name, { text }),
      ),
    ),
  ];
  expect(await findUnanswered(calls, patienceMs), 'attacks on formats').toEqual([]);
  await expectNoDelay(server);
}

async function templatesAreHarmless(without: readonly Weakness[]): Promise<void> {
  const { server, patienceMs } = await load(without, 1000);
  // In the current revision a URI is also sent as a header, and headers are short.
  const session = await RawSession.open(server.url);
  // The first is accepted, the others exceed the limit for addresses.
  const lengths = without.length > 0 ? [8000] : [8000, LENGTH, 4_000_000];
  const reads = ['a', 'b', 'c', 'd'].flatMap((scheme) =>
    ['/', '-', 'a/', 'a-', '%', '//-', ',', '?q=', '&q=1', 'a,?r=&'].flatMap((text) =>
      lengths.map((length) => {
        const uri = `${scheme}://${text.repeat(length / text.length)}\n`;
        const message = { id: 1, method: 'resources/read', params: { uri } };
        const send = async (): Promise<unknown> => JSON.parse(await (await session.post(message)).text());
        return { title: `${length} characters of "${text}" as ${scheme}://`, send };
      }),
    ),
  );
  expect(await findUnanswered(reads, patienceMs), 'attacks on templates').toEqual([]);
}

/** Operations with one evil pattern each: for a string of any length, for a bounded string, for keys, for a path parameter. */
function evilDocument(evil: readonly EvilPattern[]): object {
  const paths = evil.flatMap(({ pattern }, index) => {
    const bodies = {
      text: { properties: { text: { type: 'string', pattern } } },
      short: { properties: { text: { type: 'string', pattern, maxLength: 10 } } },
      inner: { properties: { text: { type: 'array', items: { anyOf: [{ type: 'string', pattern }] } } } },
      keys: {
        properties: { text: { type: 'object', patternProperties: { [pattern]: { type: 'string' } } } },
      },
      names: { properties: { text: { type: 'object', propertyNames: { pattern } } } },
    };
    return Object.entries(bodies).map(([way, schema]) => [
      `/${way}/${index}`,
      {
        post: {
          operationId: `${way}_${index}`,
          requestBody: { content: { 'application/json': { schema } } },
        },
      },
    ]);
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Evil', version: '1' },
    paths: Object.fromEntries(paths) as object,
  };
}

const WAYS: Readonly<Record<string, (text: string) => unknown>> = {
  text: (text) => text,
  short: (text) => text,
  inner: (text) => [text],
  keys: (text) => ({ [text]: 'x' }),
  names: (text) => ({ [text]: 'x' }),
};

async function documentsAreHarmless(without: readonly Weakness[]): Promise<void> {
  const every = isLong ? 1 : 8;
  const evil = evilPatterns.filter((_, index) => index % every === 0);
  const upstream = createServer((request, response) => {
    request.resume().on('end', () => response.end('fine'));
  });
  const importer = await Importer.start(without);
  const { error, names, operations } = await importer.import({
    document: evilDocument(evil),
    options: { baseUrl: await listenHere(upstream), outbound: { allowPrivate: true } },
  });
  expect(error, 'a document with evil patterns').toBeUndefined();
  expect(names.length, 'operations that are there all the same').toBe(evil.length * 5);
  const calls = evil.flatMap((pattern, index) =>
    Object.entries(WAYS).flatMap(([way, toValue]) =>
      attacksOn(pattern).map((text) => ({
        name: `${way}_${index}`,
        args: JSON.stringify({ text: toValue(text) }),
      })),
    ),
  );
  expect(calls.length, 'the number of attacks').toBeGreaterThan(900 / every);
  if (isLong) await importer.server.watchDelay();
  const answers = await importer.call(calls);
  expect(answers.length, 'attacks on patterns of documents').toBe(calls.length);
  expect(operations.flatMap(({ notes }) => notes).length, 'patterns that were left out').toBeGreaterThan(
    evil.length,
  );
  if (!isLong) return;
  const { maxDelayMs } = await importer.server.usage();
  expect(maxDelayMs, 'the longest the event loop was held up, in ms').toBeLessThanOrEqual(MAX_DELAY_MS);
}

/** An array of strings at the bound; the keys of an object; one string of megabytes. All below 4 MiB. */
const MANY: readonly (readonly [name: string, given: Params])[] = [
  ['zod', { list: Array(41_000).fill(`${'1'.repeat(94)}x`) }],
  ['json', { list: Array(41_000).fill(`${'1'.repeat(94)}x`) }],
  ['valibot', { list: Array(41_000).fill(`${'1'.repeat(94)}x`) }],
  ['arktype', { list: Array(41_000).fill(`${'1'.repeat(94)}x`) }],
  ['short', { list: Array(40_000).fill('11111111111x') }],
  ['hidden', { list: Array(41_000).fill(`${'1'.repeat(94)}x`) }],
  [
    'keys',
    Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`${'1'.repeat(88)}${index}x`, 1])),
  ],
  ['linear', { text: 'a'.repeat(4_000_000) }],
  ['alternatives', { text: 'a'.repeat(4_000_000) }],
];
/** Parsing and rejecting such a large message takes time as well, and the machine is shared. */
const MAX_MANY_MS = 1000;

async function manyStringsAreHarmless(without: readonly Weakness[]): Promise<void> {
  const { server, patienceMs } = await load(without, 1000);
  for (const [name, given] of MANY) {
    const before = await server.usage();
    const { send } = toRequest(server, `many_${name}`, given);
    const answer = JSON.stringify(await Promise.race([send(), noAnswerWithin(patienceMs)]));
    expect(answer, `the response to many_${name}`).toMatch(
      /too many strings|must have at most|more problems that are not listed/,
    );
    const spentMs = ((await server.usage()).cpuMicros - before.cpuMicros) / 1000;
    expect(spentMs, `milliseconds of many_${name}`).toBeLessThanOrEqual(MAX_MANY_MS);
  }
}

promise('no pattern takes long', {
  checks: {
    'exponential patterns in Zod, JSON Schema, keys and templates are refused at registration':
      slowPatternsAreRefused,
    'those that nobody suspects take 50,000 characters, in arguments and in results':
      unsuspectedPatternsAreHarmless,
    'with a bound, 50,000 characters are harmless': boundedPatternsAreHarmless,
    'nor do 41,000 strings in one call, each as long as a bound allows, or one of 4 MB':
      manyStringsAreHarmless,
    'the formats of Zod and Ajv accept 50,000 characters': formatsAreHarmless,
    'templates match URIs of 8,000, 50,000 and 4,000,000 characters': templatesAreHarmless,
    'patterns of OpenAPI documents are bounded': documentsAreHarmless,
  },
  switches: [
    {
      defence: 'the judge of patterns',
      off: [
        {
          module: 'pattern-judge/judge-pattern.js',
          defence: 'judge-of-patterns',
          by: LINEAR_JUDGE,
        },
      ],
      red: /evil patterns that were taken/,
    },
    {
      defence: 'the length check',
      check: 'with a bound, 50,000 characters are harmless',
      off: [
        { module: 'schema/checks/length-guard.js', defence: 'guard-of-lengths', by: 'return () => [];' },
        // A second defence also has to be turned off.
        {
          module: 'schema/expressions/bounded-expression.js',
          defence: 'bound-of-expressions',
          by: 'return arguments[0];',
        },
      ],
      red: /attacks on bounded patterns/,
    },
    {
      defence: 'the proof that a pattern is linear',
      check: 'those that nobody suspects take 50,000 characters, in arguments and in results',
      off: [
        {
          module: 'pattern-judge/judge-pattern.js',
          defence: 'proof-of-linear-time',
          by: LINEAR_JUDGE,
        },
      ],
      red: /attacks on unsuspected patterns|held up/,
    },
    {
      defence: 'the bound of expressions',
      check: 'those that nobody suspects take 50,000 characters, in arguments and in results',
      off: [
        {
          module: 'schema/expressions/bounded-expression.js',
          defence: 'bound-of-expressions',
          by: 'return arguments[0];',
        },
      ],
      red: /attacks on unsuspected patterns|held up/,
    },
    {
      defence: 'the budget of steps',
      check: 'nor do 41,000 strings in one call, each as long as a bound allows, or one of 4 MB',
      off: [{ module: 'schema/expressions/step-budget.js', defence: 'budget-of-steps', by: 'return true;' }],
      red: /(?:the response to|milliseconds of) many_/,
    },
    {
      defence: 'the bound of URLs',
      check: 'the formats of Zod and Ajv accept 50,000 characters',
      off: [{ module: 'schema/ajv/ajv-compiler.js', defence: 'bound-of-urls' }],
      red: /attacks on formats/,
    },
    {
      defence: 'matching of templates without expressions',
      check: 'templates match URIs of 8,000, 50,000 and 4,000,000 characters',
      off: [
        {
          module: 'resources/uri-template.js',
          defence: 'templates-without-expressions',
          by: "new RegExp(`^${arguments[0].literals.join('(.*)')}$`).test(arguments[1]); $&",
        },
      ],
      red: /attacks on templates/,
    },
    {
      defence: 'the judge of patterns in documents',
      check: 'patterns of OpenAPI documents are bounded',
      off: [
        {
          module: 'openapi/schemas/model/pattern-judge.js',
          defence: 'judge-of-patterns-in-documents',
          by: 'return undefined;',
        },
        // A second defence also has to be turned off.
        {
          module: 'pattern-judge/judge-pattern.js',
          defence: 'judge-of-patterns',
          by: LINEAR_JUDGE,
        },
      ],
      red: /calls that have no end/,
    },
  ],
});
