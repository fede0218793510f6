import { afterAll, describe, expect, test } from 'vitest';
import { callTool } from '../support/clients.ts';
import { findIssuePaths } from '../support/connections.ts';
import { startStack } from '../support/stack.ts';

const stack = await startStack();
afterAll(() => stack.close());
const client = await stack.connect({ caller: 'admin' });
const { tools } = await client.listTools();

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

describe.each(tools.map((tool) => [tool.name, tool.inputSchema as Schema] as const))('%s', (name, schema) => {
  test('every argument has a type, and every object says which members it has', () => {
    for (const part of listParts(schema)) {
      expect(part.type ?? part.enum ?? part.anyOf).toBeDefined();
      if (part.type === 'object') expect(part.additionalProperties).toBeDefined();
    }
  });

  test('an unknown argument and an unknown format are -32602 with their paths', async () => {
    const hasFormat = schema.properties?.['format'] !== undefined;
    const args = { unexpected: 1, ...(hasFormat && { format: 'xml' }) };
    const paths = await findIssuePaths(callTool(client, name, args));
    expect(paths).toContain('unexpected');
    if (hasFormat) expect(paths).toContain('format');
  });
});

/** The schema and all schemas in it. */
function listParts(schema: Schema): readonly Schema[] {
  const { properties = {}, items, anyOf = [] } = schema;
  const inner = [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])];
  return [schema, ...inner.flatMap(listParts)];
}
