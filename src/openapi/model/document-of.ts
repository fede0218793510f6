import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import type { StandardSchema } from '../../schema/nodes/schema-types.ts';
import type { AnyToolDefinition } from '../../tools/tool-definition.ts';

/** The JSON Schema of the arguments of an imported tool. */
export function documentOf({ inputSchema }: AnyToolDefinition): SchemaNode {
  return (inputSchema as StandardSchema)['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
}
