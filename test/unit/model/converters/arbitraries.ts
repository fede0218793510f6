import fc from 'fast-check';
import type {
  McpAnnotations,
  McpGroup,
  McpIcon,
  McpPrompt,
  McpPromptArgument,
  McpResource,
  McpTool,
  McpToolAnnotations,
} from '../../../../src/model/mcp-types.ts';

/** Few names, so that they often collide; some are inherited by objects. */
const name = fc.oneof(
  fc.constantFrom('list', 'search', '__proto__', 'constructor', ''),
  fc.string({ maxLength: 5 }),
);

/** JSON as from `JSON.parse`, with members that attack prototypes. */
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

export const jsonObject: fc.Arbitrary<Record<string, unknown>> = fc.dictionary(name, json, {
  maxKeys: 3,
  noNullPrototype: true,
});

/** A wire object: some optional members, and some unknown ones. */
function wire<TWire extends object>(
  members: { [TKey in keyof Required<TWire>]: fc.Arbitrary<Required<TWire>[TKey]> },
  ...required: (keyof TWire & string)[]
): fc.Arbitrary<TWire> {
  const known = fc.record<Record<string, unknown>>(members, { requiredKeys: required });
  return fc
    .tuple(others(Object.keys(members)), known)
    .map(([extra, object]) => ({ ...extra, ...object }) as unknown as TWire);
}

/** Members with unused names. */
export function others(taken: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const free = name.filter((key) => !taken.includes(key));
  return fc.dictionary(free, json, { maxKeys: 2, noNullPrototype: true });
}

const text = fc.string({ maxLength: 8 });
const schema = jsonObject.map((object) => ({ ...object, type: 'object' as const }));

export const icons: fc.Arbitrary<McpIcon[]> = fc.array(
  wire<McpIcon>(
    {
      src: text,
      mimeType: text,
      sizes: fc.array(text, { maxLength: 2 }),
      theme: fc.constantFrom('light', 'dark'),
    },
    'src',
  ),
  { maxLength: 2 },
);

export const annotations: fc.Arbitrary<McpAnnotations> = wire<McpAnnotations>({
  audience: fc.subarray(['user' as const, 'assistant' as const]),
  priority: fc.double({ min: 0, max: 1, noNaN: true }),
  lastModified: text,
});

const toolAnnotations = wire<McpToolAnnotations>({
  title: text,
  readOnlyHint: fc.boolean(),
  destructiveHint: fc.boolean(),
  idempotentHint: fc.boolean(),
  openWorldHint: fc.boolean(),
  returnDirect: fc.boolean(),
});

const base = { name, title: text, description: text, icons, _meta: jsonObject };

export const wireTool: fc.Arbitrary<McpTool> = wire<McpTool>(
  { ...base, inputSchema: schema, outputSchema: jsonObject, annotations: toolAnnotations },
  'name',
  'inputSchema',
);

const wireArguments = fc.uniqueArray(wire<McpPromptArgument>({ ...base, required: fc.boolean() }, 'name'), {
  maxLength: 3,
  selector: (argument) => argument.name,
});

export const wirePrompt: fc.Arbitrary<McpPrompt> = wire<McpPrompt>(
  { ...base, arguments: wireArguments },
  'name',
);

export const wireResource: fc.Arbitrary<McpResource> = wire<McpResource>(
  { ...base, uri: text, mimeType: text, size: fc.nat(), annotations },
  'name',
  'uri',
);

/** A tree with leaves from small pools, so that equal ones occur in several places. */
export const wireGroup: fc.Arbitrary<McpGroup> = fc
  .tuple(pool(wireTool), pool(wirePrompt), pool(wireResource))
  .chain(
    ([tools, prompts, resources]) =>
      fc.letrec<{ group: McpGroup }>((tie) => ({
        group: wire<McpGroup>(
          {
            ...base,
            separator: text,
            groups: fc.oneof(
              { depthSize: 'small' },
              fc.constant<McpGroup[]>([]),
              fc.uniqueArray(tie('group'), { maxLength: 3, selector: (group) => group.name }),
            ),
            tools: pick(tools),
            prompts: pick(prompts),
            resources: pick(resources),
          },
          'name',
        ),
      })).group,
  );

function pool<TLeaf>(leaf: fc.Arbitrary<TLeaf>): fc.Arbitrary<TLeaf[]> {
  return fc.array(leaf, { minLength: 1, maxLength: 3 });
}

/** Some leaves of the pool with different names, as copies. */
function pick<TLeaf extends { name: string }>(leaves: TLeaf[]): fc.Arbitrary<TLeaf[]> {
  return fc
    .uniqueArray(fc.constantFrom(...leaves), { selector: (leaf) => leaf.name })
    .map((picked) => picked.map((leaf) => structuredClone(leaf)));
}
