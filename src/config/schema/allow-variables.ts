import type { SmallSchema } from '../file/small-schema.ts';

/** A reference to an environment variable; `$${env:NAME}` is literal text. */
const REFERENCE = String.raw`(?:^|[^$])\$\{env:[A-Za-z_][0-9A-Za-z_]*\}`;

const VARIABLE: SmallSchema = {
  title: 'an environment variable',
  type: 'string',
  pattern: REFERENCE,
  examples: ['${env:NAME}'],
};

/**
 * The schema of a file before variables are substituted, for editors: it also allows a reference to a variable instead of numbers, booleans,
 * enums and patterns.
 */
export function allowVariables(schema: SmallSchema): SmallSchema {
  const { properties, additionalProperties, items, oneOf, $defs, ...own } = schema;
  return {
    ...allowInScalar(own),
    ...(properties === undefined ? {} : { properties: mapValues(properties) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'boolean'
              ? additionalProperties
              : allowVariables(additionalProperties),
        }),
    ...(items === undefined ? {} : { items: allowVariables(items) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(allowVariables) }),
    ...($defs === undefined ? {} : { $defs: mapValues($defs) }),
  };
}

function mapValues(schemas: Readonly<Record<string, SmallSchema>>): Readonly<Record<string, SmallSchema>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, allowVariables(schema)]));
}

const NO_TEXTS: ReadonlySet<SmallSchema['type']> = new Set(['boolean', 'integer', 'number'] as const);

function allowInScalar(schema: SmallSchema): SmallSchema {
  const { type, enum: choices, pattern } = schema;
  if (pattern !== undefined) return { ...schema, pattern: `${pattern}|${REFERENCE}` };
  if (!NO_TEXTS.has(type) && choices === undefined) return schema;
  const { title, description, default: usual, ...rest } = schema;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(usual === undefined ? {} : { default: usual }),
    oneOf: [rest, VARIABLE],
  };
}
