import { Ajv2020 } from 'ajv/dist/2020.js';
import { generateValue } from './generate-value.ts';
import type { GenerateOptions } from './generate-value.ts';

/** Ways to generate arguments, the fullest first. */
const ATTEMPTS = [
  { variant: 0 },
  { variant: 1 },
  { variant: 2 },
  { variant: 0, fullDepth: 1 },
  { variant: 1, fullDepth: 1 },
  { variant: 3, fullDepth: 1 },
];

export type Arguments = Readonly<Record<string, unknown>>;

/** Valid schemas are the subject of other tests. */
const AJV = new Ajv2020({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
});
const known = new WeakMap<object, (args: unknown) => args is Arguments>();

/** Arguments that an advertised schema accepts according to Ajv; undefined if none were found. */
export function generateArguments(
  inputSchema: object,
  options: Pick<GenerateOptions, 'isPlain' | 'usesExamples'>,
): Arguments | undefined {
  const accepts = known.get(inputSchema) ?? AJV.compile<Arguments>(relax(inputSchema) as object);
  known.set(inputSchema, accepts);
  for (const attempt of ATTEMPTS) {
    const args = generateValue(inputSchema, { ...options, ...attempt });
    // It fetches the rest of an earlier result, and sends no request.
    if (typeof args === 'object' && args !== null) delete (args as { continue_from?: unknown }).continue_from;
    if (accepts(args)) return args;
  }
  return undefined;
}

/** Alternatives often overlap: a value can match several parts of `oneOf`. Property names do not change. */
function relax(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => relax(each));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const names = !isNames && (key === 'properties' || key === '$defs' || key === 'patternProperties');
      return [key === 'oneOf' && !isNames ? 'anyOf' : key, relax(value, names)];
    }),
  );
}
