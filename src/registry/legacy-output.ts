import type { McpCallToolResult, McpJsonSchema, McpTool } from '../model/mcp-types.ts';

/**
 * Protocol revisions before 2026-07-28 require an object at the root of output schemas and structured content. Other roots are wrapped in
 * the member `result`, as in the official SDK.
 */
export function wrapListedTool(tool: McpTool): McpTool {
  const { outputSchema } = tool;
  if (outputSchema === undefined || !needsWrapping(outputSchema)) return tool;
  const known = wrapped.get(tool) ?? wrap(tool, outputSchema);
  wrapped.set(tool, known);
  return known;
}

/** Listed tools are frozen, so each is wrapped once. */
const wrapped = new WeakMap<McpTool, McpTool>();

function wrap(tool: McpTool, outputSchema: McpJsonSchema): McpTool {
  const { $schema, $defs, ...rest } = outputSchema;
  return {
    ...tool,
    outputSchema: {
      ...($schema === undefined ? {} : { $schema }),
      type: 'object',
      properties: { result: moveRefs({ ...rest, ...($defs === undefined ? {} : { $defs }) }) },
      required: ['result'],
    },
  };
}

/** The result of a call, with structured content that matches the wrapped schema. */
export function wrapResult(
  result: McpCallToolResult,
  outputSchema: McpJsonSchema | undefined,
): McpCallToolResult {
  if (result.structuredContent === undefined || outputSchema === undefined || !needsWrapping(outputSchema))
    return result;
  return { ...result, structuredContent: { result: result.structuredContent } };
}

/**
 * Behind a tool without an output schema, structured content that is not an object cannot be wrapped, because clients would not unwrap it.
 * The text is complete.
 */
export function withoutUnannounced(result: McpCallToolResult): McpCallToolResult {
  const { structuredContent, ...rest } = result;
  const isObject =
    typeof structuredContent === 'object' && structuredContent !== null && !Array.isArray(structuredContent);
  return structuredContent === undefined || isObject ? result : rest;
}

function needsWrapping(schema: McpJsonSchema): boolean {
  return schema['type'] !== 'object';
}

/** Values of these keywords are data: a `$ref` in them is not a reference. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** The schema moved from the root to `#/properties/result`, with adjusted references. Anchors need no change. */
function moveRefs(schema: unknown, isNameMap = false): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => moveRefs(entry));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]: [string, unknown]) => {
      if (isNameMap) return [key, moveRefs(value)];
      if (DATA_KEYWORDS.has(key)) return [key, value];
      if (key === '$ref' && typeof value === 'string' && (value === '#' || value.startsWith('#/'))) {
        return [key, `#/properties/result${value.slice(1)}`];
      }
      return [key, moveRefs(value, NAME_MAPS.has(key))];
    }),
  );
}

/** Keywords whose keys are names chosen by the author, not keywords. */
const NAME_MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
