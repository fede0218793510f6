import { isNode, listedChildren, namedChildren } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { markChoice, readDiscriminator } from './convert-discriminator.ts';
import { LOOP } from './model/loop.ts';
import type { Conversion, Converter } from './model/conversion.ts';

/** Converts `allOf`, `anyOf`, `oneOf`, `not` and conditions. */
export function convertUnions(schema: SchemaNode, converter: Converter, at: Conversion): SchemaNode {
  return {
    ...convertAllOf(schema, converter, at),
    ...convertAlternatives(schema, converter, at),
    ...convertConditions(schema, converter, at),
  };
}

const CONDITIONS = ['if', 'then', 'else'] as const;

/** Conditions must be converted exactly: with something left out, they would match more values. */
function convertConditions(schema: SchemaNode, converter: Converter, at: Conversion): SchemaNode {
  const exact: Conversion = { ...at, dropped: NONE, isOpened: false, step: 'condition' };
  const denied = isSchema(schema['not']) ? converter.convertNode(schema['not'], exact) : LOOP;
  const supposed = isSchema(schema['if'])
    ? CONDITIONS.filter((keyword) => isSchema(schema[keyword])).map((keyword): [string, unknown] => [
        keyword,
        converter.convertNode(schema[keyword], keyword === 'if' ? exact : { ...at, step: 'condition' }),
      ])
    : [];
  const isLoop = supposed.some(([, node]) => node === LOOP);
  return {
    ...(denied === LOOP ? {} : { not: denied }),
    // From entries: an object literal with a `then` looks like a promise.
    ...(isLoop ? {} : Object.fromEntries(supposed)),
  };
}

const NONE: ReadonlySet<string> = new Set();

function isSchema(value: unknown): boolean {
  return isNode(value) || typeof value === 'boolean';
}

/** A single part is not a union: it replaces the union. */
function convertAllOf(schema: SchemaNode, converter: Converter, at: Conversion): SchemaNode {
  const parts = listedChildren(schema, 'allOf').filter(isSchema);
  const converted = parts
    .map((value) => converter.convertNode(value, { ...at, step: 'part', lists: at.lists + 1 }))
    .filter((node) => !isNode(node) || Object.keys(node).length > 0);
  const [only] = converted;
  if (only === undefined) return {};
  const isWhole = converted.length === 1 && namedChildren(schema, 'properties').length === 0;
  if (isWhole && isNode(only) && !clashes(only, schema)) return unless(only, schema);
  return { allOf: converted };
}

/** Whether both have keywords that would have to be merged. Annotations of the outer one win. */
function clashes(part: SchemaNode, schema: SchemaNode): boolean {
  return Object.keys(part).some((keyword) => Object.hasOwn(schema, keyword) && !DESCRIBING.has(keyword));
}

const DESCRIBING: ReadonlySet<string> = new Set([
  'description',
  'title',
  'default',
  'deprecated',
  'examples',
  'type',
]);

function unless(part: SchemaNode, schema: SchemaNode): SchemaNode {
  const isOuter = (keyword: string): boolean =>
    Object.hasOwn(schema, keyword) || (keyword === 'examples' && Object.hasOwn(schema, 'example'));
  return Object.fromEntries(Object.entries(part).filter(([keyword]) => !isOuter(keyword)));
}

function convertAlternatives(schema: SchemaNode, converter: Converter, at: Conversion): SchemaNode {
  const choices = (['anyOf', 'oneOf'] as const).flatMap((keyword): [string, readonly unknown[]][] => {
    const branches = listedChildren(schema, keyword).filter(isSchema);
    return branches.length === 0 ? [] : [[keyword, branches]];
  });
  if (choices.length === 0) return {};
  const discriminator = readDiscriminator(schema, converter.parts, at.base);
  return Object.fromEntries(
    choices.flatMap(([keyword, branches]) => {
      const nodes = convertBranches(branches, converter, at);
      if (nodes === undefined) return [];
      const marked = nodes.map(([branch, node]) => {
        const values = discriminator?.valuesOf(branch) ?? [];
        return values.length === 0 ? node : markChoice(node, discriminator?.property ?? '', values);
      });
      return [[keyword, marked]];
    }),
  );
}

type Branch = readonly [branch: unknown, node: unknown];

/** Converts each branch; undefined if none is left. */
function convertBranches(
  branches: readonly unknown[],
  converter: Converter,
  at: Conversion,
): readonly Branch[] | undefined {
  const kept: Branch[] = [];
  for (const branch of branches) {
    const within: Conversion = { ...at, isOpened: false, step: 'choice', lists: at.lists + 1 };
    const node = converter.convertNode(branch, within);
    // A base within one of its own alternatives is reduced to its other keywords.
    if (node === LOOP && at.isWrittenPart) return undefined;
    if (node !== LOOP) kept.push([branch, node]);
  }
  if (kept.length > 0) return kept;
  at.problem('the only alternative of a schema is the schema itself; any value is accepted there');
  return undefined;
}
