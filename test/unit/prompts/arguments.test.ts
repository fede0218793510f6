import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { jsonSchema, PromptsManager } from '../../../src/index.ts';
import type { ComponentReply, McpGetPromptResult } from '../../../src/index.ts';

function textOf(reply: ComponentReply<McpGetPromptResult>): string | undefined {
  const [message] = reply.kind === 'value' ? reply.value.messages : [];
  return message?.content.type === 'text' ? message.content.text : undefined;
}

const prompts = new PromptsManager()
  .addPrompt({
    name: 'listed',
    arguments: [{ name: 'a', required: true }, { name: 'b', required: true }, { name: 'c' }],
    handler: ({ input }) => JSON.stringify(input),
  })
  .addPrompt({
    name: 'described',
    inputSchema: z.object({
      count: z.number().int(),
      loud: z.boolean().default(false),
      word: z.string(),
      more: z.object({ k: z.string() }).optional(),
    }),
    handler: ({ input }) => JSON.stringify(input),
  })
  .addPrompt({ name: 'bare', handler: ({ input }) => JSON.stringify(input) });

const get = (name: string, given?: unknown): Promise<ComponentReply<McpGetPromptResult>> =>
  prompts.getPrompt({ name, arguments: given });

describe('arguments that are listed', () => {
  test('reach the handler as they came', async () => {
    expect(textOf(await get('listed', { a: '1', b: ' {"x":1} ', c: '' }))).toBe(
      '{"a":"1","b":" {\\"x\\":1} ","c":""}',
    );
  });

  test('every missing one is named at once', async () => {
    const issues = [
      { path: ['a'], message: 'is required', expected: 'string', received: 'nothing' },
      { path: ['b'], message: 'is required', expected: 'string', received: 'nothing' },
    ];
    const refused = {
      kind: 'protocol-error',
      code: -32602,
      reason: 'INVALID_ARGUMENTS',
      message:
        "Invalid arguments for prompt 'listed'. a: is required (expected: string; received: nothing); b: is required (expected: string; received: nothing)",
      data: { issues },
    };
    expect(await get('listed', {})).toEqual(refused);
    expect(await get('listed')).toEqual(refused);
  });

  test('unknown ones are dropped, or refused where the manager says so', async () => {
    expect(textOf(await get('bare', { x: '1' }))).toBe('{}');
    const strict = new PromptsManager({ unknownArguments: 'reject' }).addPrompt({
      name: 'bare',
      template: 'x',
    });
    expect(await strict.getPrompt({ name: 'bare', arguments: { x: '1' } })).toMatchObject({
      code: -32602,
      data: { issues: [{ path: ['x'] }] },
    });
  });
});

describe('arguments that are described by a schema', () => {
  test('numbers, booleans and objects are read from their texts, and defaults are filled in', async () => {
    expect(textOf(await get('described', { count: '4', word: '5', more: '{"k":"v"}' }))).toBe(
      '{"count":4,"loud":false,"word":"5","more":{"k":"v"}}',
    );
    expect(textOf(await get('described', { count: '4', loud: 'true', word: 'true' }))).toBe(
      '{"count":4,"loud":true,"word":"true"}',
    );
  });

  test('a text that is no number is refused', async () => {
    expect(await get('described', { count: 'four', word: 'x' })).toMatchObject({
      kind: 'protocol-error',
      code: -32602,
      reason: 'INVALID_ARGUMENTS',
      data: { issues: [{ path: ['count'], expected: 'integer', received: '"four" (string)' }] },
    });
  });

  test('every missing one is named at once', async () => {
    expect(await get('described', {})).toMatchObject({
      data: { issues: [{ path: ['count'] }, { path: ['word'] }] },
    });
  });

  test('a JSON Schema is enough', async () => {
    const manager = new PromptsManager().addPrompt({
      name: 'raw',
      inputSchema: jsonSchema<{ n: number }>({
        type: 'object',
        properties: { n: { type: 'number' } },
        required: ['n'],
      }),
      handler: ({ input }) => String(input.n + 1),
    });
    expect(textOf(await manager.getPrompt({ name: 'raw', arguments: { n: '1.5' } }))).toBe('2.5');
  });

  test('a validator that answers later is waited for', async () => {
    const manager = new PromptsManager().addPrompt({
      name: 'later',
      inputSchema: z.object({ id: z.string().refine(async (id) => Promise.resolve(id === '7')) }),
      handler: ({ input }) => input.id,
    });
    expect(textOf(await manager.getPrompt({ name: 'later', arguments: { id: '7' } }))).toBe('7');
    expect(await manager.getPrompt({ name: 'later', arguments: { id: '8' } })).toMatchObject({
      code: -32602,
    });
    expect(await manager.getPrompt({ name: 'later', arguments: { id: '8', x: 1 } })).toMatchObject({
      data: { issues: [{ path: ['x'] }, { path: ['id'] }] },
    });
  });
});

describe('values that the protocol does not allow as arguments', () => {
  test.each([
    ['a number', 1],
    ['null', null],
    ['an object', { k: 'v' }],
    ['a list', ['v']],
    ['true', true],
  ])('%s is refused, also where the schema would take it', async (_, value) => {
    const issue = { path: ['count'], message: 'must be a string', expected: 'string' };
    expect(await get('described', { count: value, word: 'x' })).toEqual({
      kind: 'protocol-error',
      code: -32602,
      reason: 'INVALID_ARGUMENTS',
      message: "Invalid arguments for prompt 'described'. count: must be a string (expected: string)",
      data: { issues: [issue] },
    });
  });

  test('values that are not strings and missing arguments are reported together', async () => {
    expect(await get('listed', { a: 1 })).toMatchObject({
      data: {
        issues: [
          { path: ['a'], message: 'must be a string' },
          { path: ['b'], message: 'is required' },
        ],
      },
    });
  });

  test('an unknown argument that is no string is refused too; nothing in the arguments is a hint', async () => {
    expect(await get('bare', { minify: true })).toMatchObject({
      code: -32602,
      data: { issues: [{ path: ['minify'], message: 'must be a string' }] },
    });
  });

  test.each([
    ['a list', []],
    ['a text', 'a'],
    ['a number', 5],
  ])('arguments that are %s', async (_, given) => {
    expect(await get('bare', given)).toMatchObject({
      code: -32602,
      data: { issues: [{ path: [], message: 'must be an object with the arguments by name' }] },
    });
  });

  test('members that are undefined count as left out', async () => {
    expect(textOf(await get('bare', { x: undefined }))).toBe('{}');
  });

  test('a thousand wrong arguments do not make an answer of a thousand lines', async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x${index}`, index]));
    const reply = await get('bare', many);
    const { issues } = (reply as { data: { issues: unknown[] } }).data;
    expect(issues).toHaveLength(100);
  });
});

test('arguments named like members of every object are arguments like any other', async () => {
  const manager = new PromptsManager().addPrompt({
    name: 'odd',
    arguments: [{ name: '__proto__' }, { name: 'constructor', required: true }],
    template: '{{constructor}}|{{__proto__}}',
  });
  expect(await manager.getPrompt({ name: 'odd', arguments: {} })).toMatchObject({
    data: { issues: [{ path: ['constructor'], message: 'is required' }] },
  });
  const given: unknown = JSON.parse('{"constructor":"c","__proto__":"p"}');
  expect(textOf(await manager.getPrompt({ name: 'odd', arguments: given }))).toBe('c|p');
  expect(textOf(await manager.getPrompt({ name: 'odd', arguments: { constructor: 'c' } }))).toBe('c|');
});
