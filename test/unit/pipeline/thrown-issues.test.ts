import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ERROR_META_KEY, ToolRegistry } from '../../../src/index.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';
import { recordLog } from '../../support/log-recorder.ts';
import type { LogEntry } from '../../support/log-recorder.ts';

interface Called {
  readonly text: string | undefined;
  readonly details: unknown;
  readonly entries: readonly LogEntry[];
}

/** Calls a tool with a wide schema whose handler checks something itself. */
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
  ])('%s', async (_library, handler, issues) => {
    const { text, details, entries } = await callWith(handler);
    expect(details).toEqual({
      code: 'INVALID_ARGUMENTS',
      issues: issues.map(([path, message]) => ({ path, message })),
    });
    expect(text).toMatch(/^Invalid arguments for tool 'run'\.\n- /);
    expect(JSON.stringify([text, entries])).not.toMatch(/canary|77/);
    expect(entries).toMatchObject([
      { level: 'warning', message: 'the handler rejected arguments that fit the input schema' },
    ]);
  });
});

describe('anything else that a handler throws stays masked:', () => {
  test.each<[string, () => unknown]>([
    ['upstream data', () => z.object({ accounts: z.array(z.string()) }).parse({ accounts: [1] })],
    ['upstream data beside an argument', () => z.object({ path: z.string(), id: z.string() }).parse({})],
    ['upstream data of another type, Zod', () => z.array(z.string()).parse({ error: 'canary' })],
    ['upstream data of another type, Valibot', () => v.parse(v.array(v.string()), { error: 'canary' })],
    ['upstream data of another type, ArkType', () => type('string[]').assert({ error: 'canary' })],
    ['issues of another kind', () => Promise.reject({ issues: [{ message: 'canary' }] })],
    ['issues without words', () => Promise.reject({ issues: [{ path: ['path'] }] })],
    ['no issues', () => Promise.reject(Object.assign(new Error('canary'), { issues: [] }))],
  ])('%s', async (_case, handler) => {
    const { text, details, entries } = await callWith(handler);
    expect(text).toBe(
      "Tool 'run' failed unexpectedly. The details are in the server's log under the reference ref-1.",
    );
    expect(details).toEqual({ code: 'TOOL_FAILED', reference: 'ref-1' });
    expect(entries).toMatchObject([{ level: 'error', message: 'tool call failed' }]);
  });
});
