import type { SchemaNode } from '../../schema/nodes/json-node.ts';

const BASE64 = { type: 'string', contentEncoding: 'base64' };

/** Schema of a file argument: its content, or its URI. */
export function fileSchema(): SchemaNode {
  return {
    anyOf: [
      { ...BASE64, description: 'The content, as base64' },
      {
        type: 'object',
        properties: {
          data: BASE64,
          uri: { type: 'string', description: 'A data: URL, or a resource of this server, instead of data' },
          name: { type: 'string', description: 'The file name' },
          mimeType: { type: 'string' },
        },
      },
    ],
  };
}

export function fileListSchema(): SchemaNode {
  return { type: 'array', items: fileSchema() };
}
