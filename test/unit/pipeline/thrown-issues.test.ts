import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { ERROR_META_KEY, ToolError, ToolRegistry, ValidationError } from '../../../src/index.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';
import { recordLog } from '../../support/log-recorder.ts';
import type { LogEntry } from '../../support/log-recorder.ts';

interface Called {
  readonly text: string | undefined;
  readonly details: unknown;
  readonly entries: readonly LogEntry[];
}

/** Calls a tool with a wide schema whose handler validates something itself. */
async function callWith(handler: (input: object) => unknown): Promise<Called> {
  const { logger, entries } = recordLog();
  const errorHandler = new ErrorHandler({ logger, createReference: () => 'ref-1' });
  const registry = new ToolRegistry({ logger, errorHandler }).register({
    name: 'run',
    description: 'Runs tests',
    inputSchema: z.object({ path: z.unknown(), failfast: z.unknown(), maxfail: z.unknown() }),
    handler: ({ input }) => handler(input),
  });
  const args = { path: 'canary-value', failfast: true, maxfail: 77 };
  const { content, _meta } = await registry.executeTool({ name: 'run', arguments: args });
  const [block] = content;
  const text = block?.type === 'text' ? block.text : undefined;
  return { text, details: _meta?.[ERROR_META_KEY], entries: entries.filter(({ level }) => level !== 'info') };
}

const WORDS = 'failfast and maxfail are mutually exclusive';
const zod = z.object({ path: z.number(), maxfail: z.number().max(5) });
const valibot = v.object({ path: v.number(), maxfail: v.pipe(v.number(), v.maxValue(5)) });
const arktype = type({ path: 'number', maxfail: 'number <= 5' });

describe('a validation failure of the arguments that a handler throws is a field error:', () => {
  test.each<[string, (input: object) => unknown, (readonly [path: string[], message: string])[]]>([
    [
      'Zod',
      (input) => zod.parse(input),
      [
        [['path'], 'Invalid input: expected number, received string'],
        [['maxfail'], 'Too big: expected number to be <=5'],
      ],
    ],
    [
      'Valibot',
      async (input) => v.parseAsync(valibot, input),
      [
        [['path'], 'Invalid type: Expected number but received a value that is not shown'],
        [['maxfail'], 'Invalid value: Expected <=5 but received a value that is not shown'],
      ],
    ],
    [
      'ArkType',
      (input) => arktype.assert(input),
      [
        [['maxfail'], 'must be at most 5 (was a value that is not shown)'],
        [['path'], 'must be a number (was a string)'],
      ],
    ],
    [
      'errors of ArkType',
      (input) => Promise.reject(arktype(input)),
      [
        [['maxfail'], 'must be at most 5 (was a value that is not shown)'],
        [['path'], 'must be a number (was a string)'],
      ],
    ],
    [
      'a rule of Zod',
      (input) =>
        z
          .looseObject({})
          .refine(() => false, WORDS)
          .parse(input),
      [[[], WORDS]],
    ],
    [
      'a rule of Valibot',
      (input) =>
        v.parse(
          v.pipe(
            v.looseObject({}),
            v.check(() => false, WORDS),
          ),
          input,
        ),
      [[[], WORDS]],
    ],
    [
      'a rule of ArkType',
      (input) =>
        type({})
          .narrow((_value, context) => context.mustBe('either failfast or maxfail'))
          .assert(input),
      [[[], 'must be either failfast or maxfail (was a value that is not shown)']],
    ],
    [
      'a rule of ArkType with a message of its own, as returned',
      (input) =>
        Promise.reject(type({}).narrow((_value, context) => context.reject({ message: WORDS }))(input)),
      [[[], WORDS]],
    ],
    [
      'an enumeration of Zod 3',
      (input) => z3.object({ path: z3.enum(['a', 'b']) }).parse(input),
      [[['path'], "Invalid enum value. Expected 'a' | 'b', received a value that is not shown"]],
    ],
    [
      'alternatives of ArkType',
      (input) => type({ path: 'string.uuid | /^q+$/' }).assert(input),
      [[['path'], 'must be matched by ^q+$ or a UUID (was a value that is not shown)']],
    ],
    [
      'rules of ArkType together',
      (input) => type({ path: 'string.email & string > 20' }).assert(input),
      [[['path'], '(a value that is not shown) must be...\n  ◦ an email address\n  ◦ at least length 21']],
    ],
    [
      'issues of Standard Schema',
      () => Promise.reject({ issues: [{ message: WORDS, path: [{ key: 'path' }] }] }),
      [[['path'], WORDS]],
    ],
  ])('%s', async (_library, handler, issues) => {
    const { text, details, entries } = await callWith(handler);
    expect(details).toEqual({
      code: 'INVALID_ARGUMENTS',
      issues: issues.map(([path, message]) => ({ path, message })),
    });
    expect(text).toMatch(/^Invalid arguments for tool 'run'\.\n- /);
    expect(text).not.toMatch(/canary|77/);
    expect(entries).toMatchObject([
      {
        level: 'warning',
        message: 'the handler rejected arguments that match the input schema',
        fields: { tool: 'run', error: { message: expect.any(String) as string } },
      },
    ]);
  });
});

test('a message of the author stays as it is, whatever the value is', async () => {
  const seats = v.object({ maxfail: v.pipe(v.number(), v.minValue(100, 'at least 100, not 77 of 177')) });
  const { text } = await callWith((input) => v.parse(seats, input));
  expect(text).toBe("Invalid arguments for tool 'run'.\n- maxfail: at least 100, not 77 of 177");
});

test('a default message is only changed where the value is', async () => {
  const seats = v.object({ maxfail: v.pipe(v.number(), v.minValue(177)) });
  const { text } = await callWith((input) => v.parse(seats, input));
  expect(text).toBe(
    "Invalid arguments for tool 'run'.\n- maxfail: Invalid value: Expected >=177 but received a value that is not shown",
  );
});

test('the log has the error with its stack', async () => {
  const { entries } = await callWith((input) => zod.parse(input));
  expect(entries[0]?.fields).toMatchObject({
    paths: ['path', 'maxfail'],
    error: { name: 'ZodError', stack: expect.stringContaining('thrown-issues.test.ts') as string },
  });
});

test('there are no more issues than ordinary validation shows', async () => {
  const thrown = Array.from({ length: 5000 }, (_, index) => ({ message: 'wrong', path: ['path', index] }));
  const { details, entries } = await callWith(() => Promise.reject({ issues: thrown }));
  const { issues } = details as { readonly issues: unknown[] };
  expect(issues).toHaveLength(101);
  expect(issues[100]).toEqual({ path: [], message: 'has 4900 more problems that are not listed' });
  expect(entries[0]?.fields?.['paths']).toHaveLength(101);
});

describe('anything else that a handler throws stays masked:', () => {
  test.each<[string, () => unknown]>([
    ['upstream data', () => z.object({ accounts: z.array(z.string()) }).parse({ accounts: [1] })],
    ['upstream data beside an argument', () => z.object({ path: z.string(), id: z.string() }).parse({})],
    ['upstream data of another type, Zod', () => z.array(z.string()).parse({ error: 'canary' })],
    ['upstream data of another type, Valibot', () => v.parse(v.array(v.string()), { error: 'canary' })],
    ['upstream data of another type, ArkType', () => type('string[]').assert({ error: 'canary' })],
    ['upstream data with more keys', () => z.strictObject({}).parse({ canary: 2 })],
    ['upstream data of no alternative', () => z.union([z.object({ a: z.string() }), z.null()]).parse({})],
    ['an upstream value, Zod', () => z.enum(['A', 'B']).parse('canary')],
    ['an upstream value, Zod 3', () => z3.enum(['A', 'B']).parse('canary')],
    ['an upstream value, Valibot', () => v.parse(v.pipe(v.string(), v.email()), 'canary')],
    ['an upstream value, ArkType', () => type('string.date').assert('canary')],
    ['upstream data of no alternative, ArkType', () => type('string | number').assert({ canary: 1 })],
    ['too few upstream data', () => z.array(z.string()).min(1, 'canary').parse([])],
    [
      'an error of something else that has issues',
      () => Promise.reject(Object.assign(new Error('x'), { issues: [{ message: 'canary', path: [] }] })),
    ],
    [
      'an error of something else that has issues with a code',
      () =>
        Promise.reject(
          Object.assign(new Error('x'), { issues: [{ code: 'custom', message: 'canary', path: [] }] }),
        ),
    ],
    ['issues of another kind', () => Promise.reject({ issues: [{ message: 'canary' }] })],
    ['issues without words', () => Promise.reject({ issues: [{ path: ['path'] }] })],
    ['no issues', () => Promise.reject(Object.assign(new Error('canary'), { issues: [] }))],
  ])('%s', async (_case, handler) => {
    const { text, details, entries } = await callWith(handler);
    expect(text).toBe(
      "Tool 'run' failed unexpectedly. The details are in the server's log under the reference ref-1.",
    );
    expect(details).toEqual({ code: 'TOOL_FAILED', reference: 'ref-1' });
    expect(entries).toMatchObject([
      { level: 'error', message: 'tool call failed', fields: { reference: 'ref-1' } },
    ]);
  });
});

/** Calls a tool that has secret arguments. */
async function callWithSecrets(
  handler: (input: object) => unknown,
  given: { readonly arguments?: object; readonly accessToken?: string } = {},
): Promise<{ readonly text: string | undefined; readonly log: string }> {
  const { logger, entries } = recordLog();
  const registry = new ToolRegistry({ logger }).register({
    name: 'sign_in',
    description: 'Signs in',
    inputSchema: z.object({
      name: z.string().optional(),
      pin: z.string().optional(),
      creds: z.unknown().optional(),
    }),
    secrets: ['pin', 'creds'],
    handler: ({ input }) => handler(input),
  });
  const { content } = await registry.executeTool({ name: 'sign_in', arguments: {}, ...given });
  const [block] = content;
  return { text: block?.type === 'text' ? block.text : undefined, log: JSON.stringify(entries) };
}

describe('issues that a handler throws have no secrets:', () => {
  const creds = { hunter2_passphrase: 5 };

  test('keys below a secret argument', async () => {
    const schema = z.object({ creds: z.record(z.string(), z.string()) });
    const { text, log } = await callWithSecrets((input) => schema.parse(input), { arguments: { creds } });
    expect(text).toBe("Invalid arguments for tool 'sign_in'.\n- creds: is not valid");
    expect(log).toContain('the handler rejected arguments');
    expect(log).not.toContain('hunter2');
  });

  test('a ValidationError', async () => {
    const issues = [
      { path: ['name', '4711-xy'], message: 'is not 4711-xy', expected: 'no pin', received: '4711-xy' },
      { path: ['creds', 'hunter2_passphrase'], message: 'is wrong', received: '5' },
    ];
    const { text } = await callWithSecrets(() => Promise.reject(new ValidationError(issues)), {
      arguments: { name: 'a', pin: '4711-xy', creds },
    });
    expect(text).toBe(
      "Invalid arguments for tool 'sign_in'.\n" +
        '- name["[redacted]"]: is not [redacted] (expected: no pin; received: [redacted])\n' +
        '- creds: is not valid (received: a value that is not shown)',
    );
  });

  test.each<[string, (token: string) => unknown, string]>([
    [
      'an error of Zod',
      (token) => new z.ZodError([{ code: 'custom', path: ['name', token], message: `bad ${token}` }]),
      'Invalid arguments for tool \'sign_in\'.\n- name["[redacted]"]: bad [redacted]',
    ],
    [
      'a ValidationError',
      (token) => new ValidationError([{ path: ['name', token], message: `bad ${token}` }]),
      'Invalid arguments for tool \'sign_in\'.\n- name["[redacted]"]: bad [redacted]',
    ],
    ['a ToolError', (token) => new ToolError(`bad ${token}`), 'bad [redacted]'],
  ])('the access token, of which a secret argument is a part, in %s', async (_kind, toError, expected) => {
    const accessToken = 'ABCDEFGH12345678';
    const { text, log } = await callWithSecrets(() => Promise.reject(toError(accessToken)), {
      arguments: { pin: '5678' },
      accessToken,
    });
    expect(text).toBe(expected);
    expect(log).not.toContain('ABCDEFGH');
  });
});
