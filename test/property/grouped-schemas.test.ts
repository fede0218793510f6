import { inspect, isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTool, ToolRegistry } from '../../src/index.ts';
import type { SchemaProfile } from '../../src/index.ts';
import { argumentsOf, builders, commonOf, ownNames, toOwnSchema, toZodObject } from './builders.ts';
import type { Action, Builder } from './builders.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };
const PROFILES: SchemaProfile[] = ['full', 'no-ref', 'no-union'];

interface Served {
  readonly registry: ToolRegistry;
  /** What the handlers were called with, in order. */
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
    const schema = toOwnSchema(action.schema);
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

type Verdict = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** What Zod says of arguments by itself: the action's own schema and the common fields it takes, nothing of ours. */
function judgeOf(spec: Builder, action: Action): (given: Readonly<Record<string, unknown>>) => Verdict {
  const isStrict = spec.unknownArguments === 'reject';
  const common = commonOf(spec, action);
  const commonNames = new Set(common.map((field) => field.name));
  const commonSchema = toZodObject(common, isStrict);
  const own = toOwnSchema(action.schema ?? [], isStrict);
  return (given) => {
    const pick = (isCommon: boolean): Record<string, unknown> =>
      Object.fromEntries(Object.entries(given).filter(([name]) => commonNames.has(name) === isCommon));
    const first = commonSchema.safeParse(pick(true));
    const second = own?.safeParse(pick(false));
    if (!first.success || second?.success !== true) return { ok: false };
    return { ok: true, value: { ...first.data, ...(second.data as object) } };
  };
}

/** Own properties only: otherwise every object has a "toString" and a "constructor". */
const ajv = new Ajv2020({ strict: false, ownProperties: true });

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

test('what an action takes is advertised and reaches its handler as its schema makes it; what it refuses never does', async () => {
  let [accepted, refused] = [0, 0];
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
          if (verdict.ok) {
            accepted += 1;
            // Not vitest's equality, which is misled by a field named "constructor".
            const expected = [{ action: action.name, input: verdict.value }];
            if (!isDeepStrictEqual(seen, expected))
              expect.fail(inspect({ args, seen, expected }, { depth: 9 }));
            for (const [at, fits] of advertised.entries())
              if (!fits(args)) expect.fail(`${PROFILES[at]}: ${JSON.stringify([args, fits.errors])}`);
          } else {
            refused += 1;
            expect(seen).toEqual([]);
            expect(result.isError).toBe(true);
          }
        }
      }
    }),
    { numRuns: 60 },
  );
  // Both sides were looked at.
  expect(Math.min(accepted, refused)).toBeGreaterThan(150);
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
      expect(new Set(Object.keys(properties ?? {}))).toEqual(new Set([spec.discriminator, ...expected]));
    }),
    { numRuns: 40 },
  );
});
