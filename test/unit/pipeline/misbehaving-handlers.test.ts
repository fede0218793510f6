import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { success, ToolRegistry } from '../../../src/index.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

function throwValue(value: unknown): never {
  throw value;
}

const hostile = new Proxy(
  {},
  {
    get: () => throwValue(new Error('trap /etc/passwd')),
    getPrototypeOf: () => throwValue(new Error('trap /etc/passwd')),
    has: () => throwValue(new Error('trap /etc/passwd')),
    ownKeys: () => throwValue(new Error('trap /etc/passwd')),
  },
);

const FAILED =
  /^Tool 't' failed unexpectedly\. The details are in the server's log under the reference \w{8}\.$/;
const UNSENDABLE = (reason: string): RegExp =>
  new RegExp(`^Tool 't' returned a value that cannot be sent: ${reason}\\.$`);

/** Handlers, each with the text for its caller. */
const FAULTS: [string, () => unknown, RegExp][] = [
  ['throws an Error', () => throwValue(new Error('secret=/etc/passwd')), FAILED],
  ['throws a string', () => throwValue('/etc/passwd'), FAILED],
  ['throws undefined', () => throwValue(undefined), FAILED],
  ['throws null', () => throwValue(null), FAILED],
  ['throws a proxy that throws', () => throwValue(hostile), FAILED],
  ['rejects with a proxy that throws', () => Promise.reject(hostile), FAILED],
  ['resolves to a proxy that throws', async () => new Proxy({}, { has: () => throwValue(hostile) }), FAILED],
  ['throws an object without prototype', () => throwValue(Object.create(null)), FAILED],
  ['rejects', async () => throwValue(new Error('/etc/passwd')), FAILED],
  ['rejects with nothing', () => Promise.reject(), FAILED],
  [
    'returns a thenable that throws',
    () => ({
      get then() {
        return throwValue(new Error('/etc/passwd'));
      },
    }),
    FAILED,
  ],
  [
    'returns a BigInt',
    () => ({ n: 1n }),
    UNSENDABLE('it contains a BigInt; convert it to a string or a number'),
  ],
  ['returns a bare BigInt', () => 1n, UNSENDABLE('it contains a BigInt; convert it to a string or a number')],
  ['returns a cycle', () => cycle, UNSENDABLE('it contains itself \\(a cycle\\)')],
  ['returns depth 600', () => nested(600), UNSENDABLE('it is nested deeper than 512 levels')],
  ['returns depth 10,000', () => nested(10_000), UNSENDABLE('it is nested deeper than 512 levels')],
  ['returns a function', () => () => 1, UNSENDABLE('a function has no JSON form')],
  ['returns a symbol', () => Symbol('x'), UNSENDABLE('a symbol has no JSON form')],
  [
    'returns a getter that throws',
    () => ({
      get secret() {
        return throwValue(new Error('/etc/passwd'));
      },
    }),
    UNSENDABLE('one of its members throws when it is read'),
  ],
  [
    'returns a toJSON that throws',
    () => ({ toJSON: () => throwValue(new TypeError('/etc/passwd')) }),
    UNSENDABLE('one of its members throws when it is read'),
  ],
  [
    'returns a proxy that throws',
    () => hostile,
    /^Tool 't' (failed unexpectedly\.|returned a value that cannot be sent)/,
  ],
  [
    'returns a content block with a BigInt in it',
    () => ({ content: [{ type: 'text', text: 'x', _meta: { n: 1n } }] }),
    UNSENDABLE('it contains a BigInt; convert it to a string or a number'),
  ],
  [
    'returns 5 MB',
    () => 'x'.repeat(5_000_000),
    /^The result of 't' has more than 4194304 bytes; the limit is 4194304\.\nSuggestion: Ask for less: narrow the filter, or read the data in pages\.$/,
  ],
];

describe('the size of a result', () => {
  const registryWith = (handler: () => unknown): ToolRegistry =>
    new ToolRegistry({ maxResultBytes: 1000 }).register({
      name: 't',
      description: 'T',
      inputSchema: z.object({}),
      handler,
    });

  test.each<[string, () => unknown]>([
    ['metadata', () => success('x', { meta: { big: 'x'.repeat(2000) } })],
    ['metadata of a block', () => ({ type: 'text', text: 'x', _meta: { big: 'x'.repeat(2000) } })],
    ['characters that are written as escapes', () => '\u0000'.repeat(500)],
    ['characters of several bytes', () => '日'.repeat(500)],
  ])('counts %s', async (_name, handler) => {
    const result = await registryWith(handler).executeTool({ name: 't' });
    expect(result._meta?.['toolwright/error']).toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });
});

const firstText = (result: { content: readonly { type: string }[] }): string =>
  String((result.content[0] as { text?: unknown } | undefined)?.text);

describe('every accepted call is answered when the handler', () => {
  test.each(FAULTS)('%s', async (_name, handler, expected) => {
    const { logger, entries } = recordLog();
    const registry = new ToolRegistry({ logger })
      .register({ name: 't', description: 'T', inputSchema: z.object({}), handler })
      .register({ name: 'next', description: 'N', inputSchema: z.object({}), handler: () => 'fine' });
    const result = await registry.executeTool({ name: 't' });
    expect(firstText(result)).toMatch(expected);
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('/etc/passwd');
    expect(JSON.stringify(result)).not.toMatch(/\.ts:\d+/);
    expect(firstText(await registry.executeTool({ name: 'next' }))).toBe('fine');
    if (expected === FAILED) expect(entries.filter((entry) => entry.level === 'error')).toHaveLength(1);
  });

  test('never settles: the call times out, and the handler is cancelled', async () => {
    const clock = new FakeClock();
    let told: unknown;
    const registry = new ToolRegistry({ clock, timeoutMs: 2000 }).register({
      name: 'hang',
      description: 'H',
      inputSchema: z.object({}),
      timeoutMs: 500,
      handler: ({ context }) => {
        context.signal.addEventListener('abort', () => (told = context.signal.reason));
        return new Promise(() => {});
      },
    });
    const answer = registry.executeTool({ name: 'hang' });
    clock.advance(499);
    expect(told).toBeUndefined();
    clock.advance(1);
    expect(firstText(await answer)).toBe("Tool 'hang' did not finish within 500 ms and was stopped.");
    expect(told).toMatchObject({ name: 'TimeoutError' });
    expect(clock.pending).toBe(0);
  });

  test('rejects after its deadline without any effect', async () => {
    const clock = new FakeClock();
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    try {
      let fail: (reason: Error) => void = () => {};
      const registry = new ToolRegistry({ clock }).register({
        name: 'late',
        description: 'L',
        inputSchema: z.object({}),
        handler: () => new Promise((_resolve, reject) => (fail = reject)),
      });
      const answer = registry.executeTool({ name: 'late' });
      clock.advance(50_000);
      expect((await answer)._meta?.['toolwright/error']).toEqual({ code: 'TIMED_OUT' });
      fail(new Error('too late'));
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });

  test('finishes in time: no timer is left', async () => {
    const clock = new FakeClock();
    const registry = new ToolRegistry({ clock }).register({
      name: 'ok',
      description: 'O',
      inputSchema: z.object({}),
      handler: async () => 'ok',
    });
    await registry.executeTool({ name: 'ok' });
    expect(clock.pending).toBe(0);
  });
});

describe('wrong output', () => {
  const registryWith = (handler: () => unknown): ToolRegistry =>
    new ToolRegistry({ logger: recordLog().logger }).register({
      name: 't',
      description: 'T',
      inputSchema: z.object({}),
      outputSchema: z.object({ n: z.number() }),
      handler: handler as () => { n: number },
    });

  test.each([
    ['a wrong type', () => ({ n: 'secret value' })],
    ['nothing', () => undefined],
    ['a result without structured content', () => ({ content: [{ type: 'text', text: 'hi' }] })],
    [
      'a result with wrong structured content',
      () => ({ content: [], structuredContent: { n: 'secret value' } }),
    ],
  ])('%s is an error, and the details stay in the log', async (_name, handler) => {
    const result = await registryWith(handler).executeTool({ name: 't' });
    expect(result).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: "Tool 't' returned a value that cannot be sent: it does not match the output schema.",
        },
      ],
      _meta: {
        'toolwright/error': { code: 'INVALID_OUTPUT', reference: expect.stringMatching(/^\w{8}$/) as string },
      },
    });
  });

  test('an error result needs no structured content', async () => {
    const result = await registryWith(() => ({
      content: [{ type: 'text', text: 'no' }],
      isError: true,
    })).executeTool({ name: 't' });
    expect(result).toEqual({ content: [{ type: 'text', text: 'no' }], isError: true });
  });
});

describe('a collaborator that breaks its contract', () => {
  const broken = (): never => {
    throw new Error('/etc/passwd');
  };
  const cases: [string, object][] = [
    [
      'response formatter',
      {
        responseFormatter: {
          format: broken,
          runWithMinifyOverride: (_m: unknown, run: () => never) => run(),
        },
      },
    ],
    ['minify scope', { responseFormatter: { format: String, runWithMinifyOverride: broken } }],
    [
      'error handler',
      { errorHandler: { handleError: broken, createErrorResult: broken, createValidationError: broken } },
    ],
    ['context factory', { createContext: broken }],
    ['context factory that throws nonsense', { createContext: () => throwValue(hostile) }],
    [
      'security wrapper that rejects with nonsense',
      { withSecurityWrapper: () => () => Promise.reject(hostile) },
    ],
    ['security wrapper that answers nonsense', { withSecurityWrapper: () => () => ({ content: [] }) }],
    [
      'security wrapper with strange issues',
      {
        withSecurityWrapper: () => () =>
          Promise.reject({ issues: [{ path: [{ key: Object.create(null) as object }] }] }),
      },
    ],
    ['policy', { policy: () => throwValue(Object.create(null)) }],
    ['level of the logger', { logger: { ...recordLog().logger, isEnabled: broken } }],
    ['rate limit store', { rateLimitStore: { consume: broken } }],
    [
      'rate limit store that rejects',
      { rateLimitStore: { consume: () => Promise.reject(new Error('/etc/passwd')) } },
    ],
    ['logger', { logger: { debug: broken, info: broken, warning: broken, error: broken } }],
  ];

  test.each(cases)('the %s: the call is answered all the same', async (_name, options) => {
    const registry = new ToolRegistry({ logger: recordLog().logger, ...options }).register({
      name: 't',
      description: 'T',
      inputSchema: z.object({}),
      handler: () => ({ fail: true }),
    });
    const result = await registry.executeTool({ name: 't' });
    expect(JSON.stringify(result)).not.toContain('/etc/passwd');
    expect(result.content).toHaveLength(1);
    if (_name === 'logger') expect(result.isError).toBeUndefined();
  });
});
