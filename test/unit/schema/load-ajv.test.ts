import { afterEach, expect, test, vi } from 'vitest';
import { ToolRegistry } from '../../../src/index.ts';
import { ajvCompiler } from '../../../src/json-schema.ts';

afterEach(() => vi.restoreAllMocks());

const tool = {
  name: 't',
  description: 'T',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
  handler: () => 'done',
} as const;

test('where Ajv cannot be loaded by name, registration says what to pass', async () => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  let error: unknown;
  try {
    new ToolRegistry().register(tool);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({
    code: 'INVALID_DEFINITION',
    message:
      'Ajv, which checks raw JSON Schema, cannot be loaded by name in a bundle or on this runtime. Pass `jsonSchemaCompiler: ajvCompiler()` from "toolwright/json-schema".',
  });
  const registry = new ToolRegistry({ jsonSchemaCompiler: ajvCompiler() }).register(tool);
  expect((await registry.executeTool({ name: 't', arguments: { n: 'x' } })).isError).toBe(true);
});
