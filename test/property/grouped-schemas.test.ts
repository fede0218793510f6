import { inspect, isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, ToolRegistry } from '../../src/index.ts';
import type { SchemaProfile } from '../../src/index.ts';
import {
  argumentsOf,
  builders,
  commonOf,
  hasPatternFor,
  isRaw,
  ownNames,
  toOwnSchema,
  toRawSchema,
  toZodObject,
} from './builders.ts';
import type { Action, Builder } from './builders.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };
const PROFILES: SchemaProfile[] = ['full', 'no-ref', 'no-union'];

interface Served {
  readonly registry: ToolRegistry;
  /** Inputs of the handlers, in order. */
  readonly seen: { readonly action: string; readonly input: unknown }[];
}

const keyOf = ({ isHierarchical }: Builder, { name }: Action): string =>
  isHierarchical ? `g.${name}` : name;

/** The builder as an author would write it, registered. */
function serve(spec: Builder): Served {
  const seen: Served['seen'] = [];
  const builder = createTool('t').discriminator(spec.discriminator);
  const { common = [] } = spec;
  if (spec.common !== undefined) builder.commonSchema(toZodObject(common));
  const definitions = spec.actions.map((action) => {
    const schema = isRaw(action.schema) ? toRawSchema(action.schema) : toOwnSchema(action.schema);
    return {
      name: action.name,
      ...(schema === undefined ? {} : { schema }),
      ...(action.omitsCommon ? { omitCommonFields: common.map((field) => field.name) } : {}),
      handler: ({ input }: { input: unknown }): string => {
        seen.push({ action: action.name, input });
        return 'ran';
      },
    };
  });
  if (spec.isHierarchical)
    builder.group('g', (group) => {
      for (const definition of definitions) group.action(definition as never);
    });
  else for (const definition of definitions) builder.action(definition as never);
  const { unknownArguments } = spec;
  const registry = new ToolRegistry({ logger: silent, rateLimit: false, unknownArguments });
  return { registry: registry.register(builder), seen };
}

/** `value` is the input of the handler, if it is known. */
type Verdict = { readonly ok: true; readonly value?: unknown } | { readonly ok: false };

/** Own properties only: otherwise every object has a "toString" and a "constructor". */
const ajv = new Ajv2020({ strict: false, ownProperties: true });

/** The verdict of a library alone: the action's own schema and its common fields, without Toolwright. */
function judgeOf(
  spec: Builder,
  action: Action,
): (given: Readonly<Record<string, unknown>>) => Verdict | undefined {
  const isStrict = spec.unknownArguments === 'reject';
  const common = commonOf(spec, action);
  const commonNames = new Set(common.map((field) => field.name));
  const commonSchema = toZodObject(common, isStrict);
  const ownVerdict = judgeOwn(action.schema, isStrict);
  return (given) => {
    const pick = (isOwn: (name: string) => boolean): Record<string, unknown> =>
      Object.fromEntries(Object.entries(given).filter(([name]) => isOwn(name)));
    const first = commonSchema.safeParse(pick((name) => commonNames.has(name)));
    if (!first.success) return { ok: false };
    const second = ownVerdict(pick((name) => !commonNames.has(name) || hasPatternFor(action.schema, name)));
    if (second?.ok !== true || second.value === undefined) return second;
    return { ok: true, value: { ...first.data, ...(second.value as object) } };
  };
}

function judgeOwn(own: Action['schema'], isStrict: boolean): (given: object) => Verdict | undefined {
  if (isRaw(own)) {
    const fits = ajv.compile(toRawSchema(own));
    // Objects that are closed because unknown arguments are rejected are not known here.
    return (given) => {
      if (!fits(given)) return { ok: false };
      return isStrict ? undefined : { ok: true };
    };
  }
  const schema = toOwnSchema(own ?? [], isStrict);
  return (given) => {
    const parsed = schema?.safeParse(given);
    return parsed?.success === true ? { ok: true, value: parsed.data } : { ok: false };
  };
}

/** Whether the handler got every key that was sent. Keys that an action drops need not be advertised. */
function isDelivered(given: object, seen: Served['seen']): boolean {
  return seen.every(({ input }) => Object.keys(given).every((key) => Object.hasOwn(input as object, key)));
}

function compileAdvertised(registry: ToolRegistry): ValidateFunction[] {
  return PROFILES.map((schemaProfile) => {
    const [tool] = registry.surface({ schemaProfile }).listTools();
    return ajv.compile(tool?.inputSchema ?? false);
  });
}

const cases = builders.chain((spec) =>
  fc.record({
    spec: fc.constant(spec),
    inputs: fc.tuple(
      ...spec.actions.map((action) => fc.array(argumentsOf(spec, action), { minLength: 4, maxLength: 8 })),
    ),
  }),
);

test('valid arguments are advertised and reach the handler as the schema outputs them; invalid ones never do', async () => {
  let [accepted, refused, delivered] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(cases, async ({ spec, inputs }) => {
      const { registry, seen } = serve(spec);
      const advertised = compileAdvertised(registry);
      for (const [index, action] of spec.actions.entries()) {
        const judge = judgeOf(spec, action);
        for (const given of inputs[index] ?? []) {
          const args = { ...given, [spec.discriminator]: keyOf(spec, action) };
          const verdict = judge(given);
          seen.length = 0;
          const result = await registry.executeTool({ name: 't', arguments: args });
          if (verdict?.ok === true) {
            accepted += 1;
            // Not vitest's equality, which fails for a field named "constructor".
            const expected = [{ action: action.name, input: verdict.value ?? seen[0]?.input }];
            if (seen.length !== 1 || !isDeepStrictEqual(seen, expected))
              expect.fail(inspect({ args, seen, expected }, { depth: 9 }));
          } else if (verdict?.ok === false) {
            refused += 1;
            expect(seen).toEqual([]);
            expect(result.isError).toBe(true);
          }
          if (seen.length === 0 || !isDelivered(given, seen)) continue;
          delivered += 1;
          for (const [at, fits] of advertised.entries())
            if (!fits(args)) expect.fail(`${PROFILES[at]}: ${JSON.stringify([args, fits.errors])}`);
        }
      }
    }),
    { numRuns: 60 },
  );
  // Every outcome occurred.
  expect(Math.min(accepted, refused, delivered)).toBeGreaterThan(150);
});

test('the list is the same bytes for two registries that are built alike, in every profile', () => {
  fc.assert(
    fc.property(builders, (spec) => {
      const [one, two] = [serve(spec).registry, serve(spec).registry];
      for (const schemaProfile of PROFILES)
        expect(one.surface({ schemaProfile }).listToolsJson()).toBe(
          two.surface({ schemaProfile }).listToolsJson(),
        );
    }),
    { numRuns: 25 },
  );
});

test('every field of every action is advertised, and nothing else', () => {
  fc.assert(
    fc.property(builders, (spec) => {
      const [tool] = serve(spec).registry.listTools();
      const { properties } = (tool?.inputSchema ?? {}) as { properties?: object };
      const expected = spec.actions.flatMap((action) => [
        ...commonOf(spec, action).map((field) => field.name),
        ...ownNames(action),
      ]);
      const found = new Set(Object.keys(properties ?? {}));
      // One part of a JSON Schema may forbid a field that another describes, so such a field may be missing.
      const hasRaw = spec.actions.some((action) => isRaw(action.schema));
      const names = new Set([spec.discriminator, ...expected]);
      if (hasRaw) expect([...found].filter((name) => !names.has(name))).toEqual([]);
      else expect(found).toEqual(names);
    }),
    { numRuns: 40 },
  );
});

const TEXT = { type: 'string' };
const IS_A = { properties: { kind: { const: 'a' } }, required: ['kind'] };
const eitherOpen = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('a') }),
  z.object({ kind: z.literal('b') }),
]);

// Found by the first test.
test.each<[string, 'reject' | 'strip', object, object]>([
  [
    'any key beside alternatives, of which another names it',
    'strip',
    {
      type: 'object',
      additionalProperties: true,
      anyOf: [{ properties: { size: TEXT } }, { properties: { id: TEXT } }],
    },
    { size: 5 },
  ],
  [
    'a key of a condition that does not hold, where no keys are listed',
    'strip',
    { type: 'object', if: IS_A, then: { properties: { id: TEXT } } },
    { kind: 'b', id: 5 },
  ],
  [
    'a key of a condition that does not hold, where what holds instead is open',
    'strip',
    {
      type: 'object',
      properties: { kind: TEXT },
      if: IS_A,
      then: { properties: { id: TEXT } },
      else: { additionalProperties: true },
    },
    { kind: 'b', id: 5 },
  ],
  ['any key of an open alternative', 'reject', eitherOpen, { kind: 'a', other: 1 }],
  [
    'any key where an open condition holds',
    'reject',
    { type: 'object', properties: { kind: TEXT }, if: IS_A, then: { additionalProperties: true } },
    { kind: 'a', other: 1 },
  ],
  [
    'a key that only a condition asks for',
    'strip',
    {
      type: 'object',
      properties: { id: TEXT },
      if: { properties: { kind: { const: 'a' } } },
      then: { required: ['id'] },
    },
    { kind: 'b' },
  ],
])('what reaches a handler is advertised: %s (%s)', async (_, unknownArguments, schema, args) => {
  const registry = new ToolRegistry({ logger: silent, unknownArguments }).register(
    createTool('t')
      .commonSchema(z.object({ common: z.string().optional() }))
      .action({ name: 'act', schema: schema as never, handler: ({ input }) => input }),
  );
  const given = { ...args, action: 'act' };
  const result = await registry.executeTool({ name: 't', arguments: given });
  expect(result).not.toHaveProperty('isError');
  // Beside listed common fields, an undescribed key is dropped and need not be advertised.
  if (JSON.stringify(result.content) !== JSON.stringify([{ type: 'text', text: JSON.stringify(args) }]))
    return;
  expect(compileAdvertised(registry).map((fits) => fits(given))).toEqual([true, true, true]);
});
