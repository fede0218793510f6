import { loadDocument } from '../../../../src/openapi/document/load-document.ts';
import { References } from '../../../../src/openapi/document/references.ts';
import { SchemaConverter } from '../../../../src/openapi/schemas/schema-converter.ts';
import type { Direction } from '../../../../src/openapi/schemas/model/conversion.ts';
import { expectValid } from '../import/support.ts';
import type { Json } from '../import/support.ts';

export interface ConvertOptions {
  /** `2.0`, `3.0.3`, `3.1.0`. */
  readonly version?: string;
  readonly direction?: Direction;
  /** Named schemas. */
  readonly schemas?: Json;
}

export interface ConvertedSchema {
  readonly node: unknown;
  /** The definitions that it needs, by name. */
  readonly definitions: Json;
  /** Notes; fatal ones begin with `!`. */
  readonly notes: readonly string[];
}

/** Converts a schema of a document; the result must be valid. */
export async function convert(schema: unknown, options: ConvertOptions = {}): Promise<ConvertedSchema> {
  const { version = '3.0.3', direction = 'request', schemas = {} } = options;
  const isOld = version === '2.0';
  const document = await loadDocument({
    ...(isOld ? { swagger: '2.0', definitions: schemas } : { openapi: version, components: { schemas } }),
    info: { title: 't', version: '1' },
    paths: {},
  });
  const references = new References(document);
  const converter = new SchemaConverter({
    references,
    version: document.version,
    direction,
    describe: (text) => text,
  });
  const { node, uses, problems } = converter.convert({ value: schema, base: document.uri });
  const closure = [...converter.closureOf(uses)];
  const definitions = Object.fromEntries(
    closure.map((each) => [each.name, converter.convertDefinition(each).node]),
  );
  const all = [...problems, ...closure.flatMap((each) => converter.convertDefinition(each).problems)];
  expectValid({ type: 'object', properties: { it: node }, $defs: definitions });
  return { node, definitions, notes: all.map(({ text, isFatal }) => `${isFatal ? '!' : ''}${text}`) };
}

/** The schema, without definitions and notes. */
export async function nodeOf(schema: unknown, options: ConvertOptions = {}): Promise<unknown> {
  const { node, notes } = await convert(schema, options);
  if (notes.length > 0) throw new Error(notes.join('; '));
  return node;
}

/** A reference to a named schema. */
export function ref(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
