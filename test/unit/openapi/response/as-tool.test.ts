import { describe, expect, test } from 'vitest';
import { ToolRegistry } from '../../../../src/index.ts';
import { ajvCompiler } from '../../../../src/json-schema.ts';
import type { OutboundAnswer } from '../../../../src/outbound/outbound-client.ts';
import { answer, json, read } from './support.ts';

/** Advertises the schema of the document, and accepts every object: no data is lost if the API differs. */
const TOLERANT = {
  type: 'object',
  anyOf: [{ properties: { id: { type: 'integer' } }, required: ['id'] }, {}],
} as const;

function call(given: OutboundAnswer, maxChars = 100): Promise<unknown> {
  const registry = new ToolRegistry({ jsonSchemaCompiler: ajvCompiler() });
  registry.register({
    name: 'get_pet',
    description: 'Reads a pet.',
    inputSchema: { type: 'object' },
    outputSchema: TOLERANT,
    handler: () => read(given, { structured: true, maxChars }),
  });
  return registry.executeTool({ name: 'get_pet', arguments: {} });
}

describe('a tool with an output schema that takes every object', () => {
  test('passes on what fits and what does not', async () => {
    expect(await call(json({ id: 1 }))).toEqual({
      content: [{ type: 'text', text: '{"id":1}' }],
      structuredContent: { id: 1 },
    });
    expect(await call(json([1]))).toMatchObject({ structuredContent: { result: [1] } });
  });

  test('passes on parts, texts, bytes, nothing and errors', async () => {
    expect(await call(json([1, 2, 3, 4]), 5)).toMatchObject({ structuredContent: { result: [1, 2] } });
    expect(await call(answer(200, {}, 'hi'))).toMatchObject({ structuredContent: { result: 'hi' } });
    expect(await call(answer(200, { 'content-type': 'image/png' }, 'x'))).toMatchObject({
      structuredContent: {},
    });
    expect(await call(answer(204))).toMatchObject({ structuredContent: {} });
    expect(await call(answer(500))).toMatchObject({ isError: true });
  });
});
