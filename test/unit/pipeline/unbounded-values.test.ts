import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createLogger, silentLogger, success, ToolError, ToolRegistry } from '../../../src/index.ts';
import type { AnyToolDefinition } from '../../../src/index.ts';

/** Contains itself twice at every level. */
function shared(levels: number): unknown {
  let value: unknown = ['x', 'x'];
  for (let level = 0; level < levels; level += 1) value = [value, value];
  return value;
}

// oxlint-disable-next-line no-new-array -- with holes
const sparse: unknown[] = new Array(1_000_000_000);
// oxlint-disable-next-line no-new-wrappers -- a handler may return one
const longText: object = new String('y'.repeat(2_000_000));
const manyMembers = Object.fromEntries(Array.from({ length: 850_000 }, (_, index) => [`k${index}`, 1]));
const bytes = new Uint8Array(5_000_000);

async function outcomeOf(parts: Partial<AnyToolDefinition>): Promise<unknown> {
  const definition = { name: 't', description: 'T', inputSchema: z.object({}), handler: () => 'x', ...parts };
  const registry = new ToolRegistry({ logger: silentLogger }).register(definition as never);
  const result = await registry.executeTool({ name: 't' });
  return (
    (result._meta?.['toolwright/error'] as { code: string } | undefined)?.code ?? result.structuredContent
  );
}

describe('endless values are stopped during serialization', () => {
  test.each<[string, unknown, string]>([
    ['arrays that share their parts', shared(40), 'RESULT_TOO_LARGE'],
    ['holes', sparse, 'RESULT_TOO_LARGE'],
    ['holes in place of content', { content: sparse }, 'RESULT_TOO_LARGE'],
    [
      'holes in place of annotations',
      { type: 'text', text: 'x', annotations: { audience: sparse } },
      'RESULT_TOO_LARGE',
    ],
    ['bytes', bytes, 'INVALID_OUTPUT'],
    ['bytes in a block', [{ type: 'image', data: bytes, mimeType: 'image/png' }], 'INVALID_OUTPUT'],
    ['bytes in metadata', success('x', { meta: { bytes } }), 'INVALID_OUTPUT'],
  ])('%s', async (_, value, code) => {
    expect(await outcomeOf({ handler: () => value })).toBe(code);
  });

  test.each<[string, 'markdown' | 'toon']>([
    ['in a table', 'markdown'],
    ['in TOON', 'toon'],
  ])('%s', async (_, format) => {
    expect(await outcomeOf({ handler: () => success(shared(40), { format }) })).toBe('RESULT_TOO_LARGE');
  });
});

describe('before a value is validated', () => {
  const list: z.ZodType = z.array(z.lazy(() => z.union([z.string(), list])));

  test.each<[string, z.ZodType, unknown, string]>([
    ['arrays that share their parts are given up', list, shared(40), 'RESULT_TOO_LARGE'],
    ['holes are given up', z.array(z.any()), sparse, 'RESULT_TOO_LARGE'],
    [
      'empty places between whole-number keys are given up',
      z.array(z.record(z.string(), z.number())),
      Array.from({ length: 2000 }, () => ({ 1023: 1 })),
      'RESULT_TOO_LARGE',
    ],
    ['bytes are refused', z.record(z.string(), z.number()), bytes, 'INVALID_OUTPUT'],
  ])('%s', async (_, schema, items, code) => {
    const outputSchema = z.object({ items: schema });
    expect(await outcomeOf({ outputSchema, handler: () => ({ items }) })).toBe(code);
    const whole = { content: [], structuredContent: { items } };
    expect(await outcomeOf({ outputSchema, handler: () => whole })).toBe(code);
  });

  test('stripped members may be large, cyclic, or instances of any class', async () => {
    class Row {
      readonly id = 1;
      readonly database = shared(40);
      readonly bytes = bytes;
    }
    const parent: Record<string, unknown> = { id: 2, text: 'x'.repeat(10_000_000) };
    parent['self'] = parent;
    const outputSchema = z.object({ rows: z.array(z.object({ id: z.number() })) });
    const handler = (): unknown => ({ rows: [new Row(), parent] });
    expect(await outcomeOf({ outputSchema, handler })).toEqual({ rows: [{ id: 1 }, { id: 2 }] });
  });

  test.each<[string, unknown]>([
    ['an object with more members than can be sent', manyMembers],
    ['a text in an object', longText],
    ['an instance of a class with more members than can be sent', Object.assign(new Date(0), manyMembers)],
  ])('%s reaches no validator', async (_, value) => {
    let checks = 0;
    const counted = z.any().refine(() => (checks += 1) > 0);
    const outputSchema = z.object({ value: counted });
    expect(await outcomeOf({ outputSchema, handler: () => ({ value }) })).toBe('RESULT_TOO_LARGE');
    expect(checks).toBe(0);
  });

  test('records of ids are validated', async () => {
    const record = (step: number): object =>
      Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [index * step, index]));
    const items = [record(1), record(3), record(48)];
    const outputSchema = z.object({ items: z.array(z.record(z.string(), z.number())) });
    expect(await outcomeOf({ outputSchema, handler: () => ({ items }) })).toEqual({ items });
  });

  test('bytes in an instance of a class are named, not listed', async () => {
    class Row {
      readonly data = bytes;
    }
    const outputSchema = z.object({ data: z.string() });
    expect(await outcomeOf({ outputSchema, handler: () => new Row() })).toBe('INVALID_OUTPUT');
  });
});

test('a step gives nothing that is without end', async () => {
  const handler: AnyToolDefinition['handler'] = ({ context }) => context.step('a', () => shared(40));
  expect(await outcomeOf({ handler })).toBe('INVALID_OUTPUT');
});

test('thrown values are described in a bounded text', async () => {
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line) });
  const registry = new ToolRegistry({ logger }).register({
    name: 't',
    description: 'T',
    inputSchema: z.object({}),
    handler: () => {
      throw { shared: shared(40) } as unknown as Error;
    },
  });
  await registry.executeTool({ name: 't' });
  expect(lines.map((line) => (JSON.parse(line) as { error: object }).error)).toEqual([
    { name: 'object', message: 'a value that is too large to be shown was thrown' },
  ]);
});

test('an endless field of the log is replaced, and the others stay', async () => {
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line) });
  const registry = new ToolRegistry({ logger }).register({
    name: 't',
    description: 'T',
    inputSchema: z.object({}),
    handler: ({ context: { log } }) => {
      log.warning('large', { shared: shared(40), bytes, id: 7 });
      log.warning('bytes', bytes as never);
      return 'x';
    },
  });
  await registry.executeTool({ name: 't' });
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    {
      level: 'warning',
      message: 'large',
      tool: 't',
      shared: '(too large to be logged)',
      bytes: '(cannot be written as JSON)',
      id: 7,
    },
    { level: 'warning', message: 'bytes', tool: 't', fields: '(cannot be written as JSON)' },
  ]);
});

test.each<'markdown' | 'toon'>(['markdown', 'toon'])(
  '%s gives up what is too long before it is written',
  async (format) => {
    let reads = 0;
    const value = {
      get first() {
        reads += 1;
        return 1;
      },
      ...Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}`.padEnd(500_000, 'k'), 1])),
    };
    expect(await outcomeOf({ handler: () => success(value, { format }) })).toBe('RESULT_TOO_LARGE');
    expect(reads).toBe(1);
  },
);

test.each<'markdown' | 'toon'>(['markdown', 'toon'])('%s names the keys of a table once', async (format) => {
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, ['k'.repeat(5000)]: null }));
  expect(await outcomeOf({ handler: () => success(rows, { format }) })).toBeUndefined();
});

test('an error is no larger than a result, whatever its code', async () => {
  const registry = new ToolRegistry({ logger: silentLogger }).register({
    name: 't',
    description: 'T',
    inputSchema: z.object({}),
    handler: () => {
      throw Object.assign(new ToolError('No.'), { code: 'x'.repeat(10_000_000) });
    },
  });
  const result = await registry.executeTool({ name: 't' });
  expect(result._meta).toEqual({ 'toolwright/error': { code: `${'x'.repeat(60)}…` } });
});
