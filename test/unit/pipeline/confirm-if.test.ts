import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry } from '../../../src/index.ts';
import type { McpCallToolResult } from '../../../src/index.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };

function textOf({ content: [first] }: McpCallToolResult): string {
  return first?.type === 'text' ? first.text : '';
}

const codeOf = ({ _meta }: McpCallToolResult): unknown =>
  (_meta?.['toolwright/error'] as { code?: unknown } | undefined)?.code;

describe('confirmIf', () => {
  const mistakes: [string, (input: Readonly<Record<string, unknown>>) => unknown][] = [
    ['true', () => true],
    ['nothing', () => undefined],
    ['a promise', () => Promise.resolve(false)],
    ['0', () => 0],
  ];
  const wipe = (confirmIf: (input: Readonly<Record<string, unknown>>) => unknown): ToolRegistry =>
    new ToolRegistry({ logger: silent }).register({
      name: 'wipe',
      description: 'Wipes',
      inputSchema: z.object({ dry_run: z.boolean().default(true) }),
      confirm: 'preview',
      confirmIf: confirmIf as () => boolean,
      preview: () => 'would wipe',
      handler: ({ input }) => (input.dry_run ? 'listed' : 'wiped'),
    });
  const run = async (registry: ToolRegistry, given: object): Promise<string> =>
    textOf(await registry.executeTool({ name: 'wipe', arguments: { ...given } }));

  test('a call for which it returns false runs without confirmation, by its validated arguments', async () => {
    const registry = wipe((input) => input['dry_run'] !== true);
    expect(await run(registry, {})).toBe('listed');
    expect(await run(registry, { dry_run: false })).toMatch(/^Nothing was done yet\./);
  });

  test.each(mistakes)('%s is not false: the call needs confirmation', async (_title, confirmIf) => {
    expect(await run(wipe(confirmIf), {})).toMatch(/^Nothing was done yet\./);
  });

  test('one that throws fails the call', async () => {
    const registry = wipe(() => {
      throw new Error('broken');
    });
    const result = await registry.executeTool({ name: 'wipe' });
    expect(codeOf(result)).toBe('TOOL_FAILED');
  });

  test('it needs confirm', () => {
    const broken = {
      name: 'a',
      description: 'A',
      inputSchema: z.object({}),
      confirmIf: () => false,
      handler: () => '',
    };
    expect(() => new ToolRegistry().register(broken)).toThrow(
      'Tool "a" has confirmIf but no confirm: \'preview\'. Add it, or remove confirmIf.',
    );
  });
});
