import { decode } from '@toon-format/toon';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { error, required, success, ToolError, ToolRegistry, toonSuccess } from '../../../src/index.ts';
import { ResponseFormatter } from '../../../src/collaborators.ts';
import type { McpCallToolResult, ToolRegistryOptions } from '../../../src/index.ts';

const rows = [
  { id: 1, title: 'Buy milk' },
  { id: 2, title: 'Call Ada' },
];

function run(handler: () => unknown, options: ToolRegistryOptions = {}): Promise<McpCallToolResult> {
  return new ToolRegistry(options)
    .register({ name: 't', description: 'T', inputSchema: z.object({}), handler })
    .executeTool({ name: 't' });
}

const listSchema = z.array(z.object({ id: z.number(), title: z.string() }));

function runStructured(
  handler: () => unknown,
  options: ToolRegistryOptions = {},
): Promise<McpCallToolResult> {
  return new ToolRegistry(options)
    .register({
      name: 't',
      description: 'T',
      inputSchema: z.object({}),
      outputSchema: listSchema,
      handler: handler as () => z.input<typeof listSchema>,
    })
    .executeTool({ name: 't' });
}

describe('a handler may return', () => {
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;

  test.each<[string, unknown, McpCallToolResult]>([
    ['a string', 'hello', { content: [{ type: 'text', text: 'hello' }] }],
    ['a number', 42, { content: [{ type: 'text', text: '42' }] }],
    ['null', null, { content: [{ type: 'text', text: 'null' }] }],
    ['nothing', undefined, { content: [{ type: 'text', text: '(no output)' }] }],
    ['an object', { a: 1 }, { content: [{ type: 'text', text: '{"a":1}' }] }],
    [
      'a date',
      { at: new Date(0) },
      { content: [{ type: 'text', text: '{"at":"1970-01-01T00:00:00.000Z"}' }] },
    ],
    ['a content block', image, { content: [image] }],
    [
      'content blocks',
      [{ type: 'text', text: 'a' }, image],
      { content: [{ type: 'text', text: 'a' }, image] },
    ],
    ['a whole result', { content: [image], isError: true }, { content: [image], isError: true }],
    ['an empty result', { content: [] }, { content: [] }],
    ['an empty list', [], { content: [{ type: 'text', text: '[]' }] }],
    [
      'data with a member named content',
      { content: 'chapter one', author: 'Ada' },
      { content: [{ type: 'text', text: '{"content":"chapter one","author":"Ada"}' }] },
    ],
    [
      'data that almost looks like a result',
      { content: [{ type: 'text', text: 'a' }], pages: 3 },
      { content: [{ type: 'text', text: '{"content":[{"type":"text","text":"a"}],"pages":3}' }] },
    ],
    [
      'data that almost looks like a block',
      { type: 'image', url: 'x' },
      { content: [{ type: 'text', text: '{"type":"image","url":"x"}' }] },
    ],
  ])('%s', async (_name, value, expected) => {
    expect(await run(() => value)).toEqual(expected);
    expect(await run(async () => value)).toEqual(expected);
  });

  test('success, with a text of its own and metadata', async () => {
    expect(
      await run(() => success({ id: 7 }, { text: 'Created note 7.', meta: { 'example.com/id': 7 } })),
    ).toEqual({
      content: [{ type: 'text', text: 'Created note 7.' }],
      _meta: { 'example.com/id': 7 },
    });
    expect(await run(() => success({ id: 7 }))).toEqual({ content: [{ type: 'text', text: '{"id":7}' }] });
  });

  test('toonSuccess, which decodes to the same value', async () => {
    const [block] = (await run(() => toonSuccess(rows))).content;
    const text = block?.type === 'text' ? block.text : '';
    expect(text).toBe('[2]{id,title}:\n  1,Buy milk\n  2,Call Ada');
    expect(decode(text)).toEqual(rows);
  });

  test('error and required', async () => {
    expect(await run(() => error('No such note.', ['Call list_notes.']))).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'No such note.\nSuggestion: Call list_notes.' }],
      _meta: { 'toolwright/error': { code: 'TOOL_ERROR', suggestions: ['Call list_notes.'] } },
    });
    expect((await run(() => required('separator'))).content).toEqual([
      {
        type: 'text',
        text: 'The argument "separator" is required.\nSuggestion: Call again with "separator".',
      },
    ]);
  });

  test('nothing and throw a ToolError instead', async () => {
    const result = await run(() => {
      throw new ToolError('Quota used up: token=abc123');
    });
    expect(result.content).toEqual([{ type: 'text', text: 'Quota used up: token=[redacted]' }]);
  });
});

describe('with an output schema', () => {
  test('the value is structured content, and text for clients that need it', async () => {
    expect(await runStructured(() => rows)).toEqual({
      content: [{ type: 'text', text: '[{"id":1,"title":"Buy milk"},{"id":2,"title":"Call Ada"}]' }],
      structuredContent: rows,
    });
  });

  test('the value is the output of the schema', async () => {
    const result = await runStructured(() => [{ id: 1, title: 'a', internal: 'secret' }]);
    expect(result.structuredContent).toEqual([{ id: 1, title: 'a' }]);
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  test('a short text can replace the duplicated data', async () => {
    expect((await runStructured(() => rows, { structuredText: 'short' })).content).toEqual([
      { type: 'text', text: 'The result is in structuredContent.' },
    ]);
    expect((await runStructured(() => success(rows, { text: '2 notes' }))).content).toEqual([
      { type: 'text', text: '2 notes' },
    ]);
  });

  test('a result of the protocol is taken as it is once it fits', async () => {
    const result = { content: [{ type: 'text', text: 'two' }], structuredContent: rows };
    expect(await runStructured(() => result)).toEqual(result);
  });

  test('an error has none', async () => {
    expect(await runStructured(() => error('No.'))).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'No.' }],
      _meta: { 'toolwright/error': { code: 'TOOL_ERROR' } },
    });
  });
});

describe('the response formatter of the registry', () => {
  test('writes Markdown tables', async () => {
    const result = await run(() => rows, {
      responseFormatter: new ResponseFormatter({ format: 'markdown' }),
    });
    expect(result.content).toEqual([
      { type: 'text', text: '| id | title |\n| --- | --- |\n| 1 | Buy milk |\n| 2 | Call Ada |' },
    ]);
  });

  test('writes TOON, and structured content stays JSON', async () => {
    const result = await runStructured(() => rows, {
      responseFormatter: new ResponseFormatter({ format: 'toon' }),
    });
    expect(result).toEqual({
      content: [{ type: 'text', text: '[2]{id,title}:\n  1,Buy milk\n  2,Call Ada' }],
      structuredContent: rows,
    });
  });

  test('is replaced in one line', async () => {
    const responseFormatter = {
      format: () => 'formatted',
      runWithMinifyOverride: <TResult>(_minify: boolean | undefined, work: () => TResult) => work(),
    };
    expect((await run(() => ({ a: 1 }), { responseFormatter })).content).toEqual([
      { type: 'text', text: 'formatted' },
    ]);
  });
});
