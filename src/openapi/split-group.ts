import { DefinitionPool } from '../schema/nodes/definition-pool.ts';
import { isNode, namedChildren } from '../schema/nodes/json-node.ts';
import { SchemaComparer } from '../schema/nodes/same-schema.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import { documentOf } from './model/document-of.ts';

/** Maximum size of one group, in characters of descriptions and schemas; shared schemas count once. */
const MAX_GROUP_CHARS = 100_000;
/** A group may be this many times as large as its largest operation: shared schemas are repeated in every part. */
const MAX_TIMES_LARGEST = 2;

/**
 * Splits the operations of a group into parts that a model can read, in the order of the document. Parts are filled
 * one after the other, so an operation added at the end moves no other, unless it is much larger than all of them.
 */
export function splitGroup(tools: readonly AnyToolDefinition[]): AnyToolDefinition[][] {
  const lengths: Lengths = new Map();
  const comparer = new SchemaComparer();
  const largest = tools.reduce((most, tool) => Math.max(most, sizeOf(tool, lengths)), 0);
  const limit = Math.max(MAX_GROUP_CHARS, largest * MAX_TIMES_LARGEST);
  const parts: AnyToolDefinition[][] = [];
  let part: AnyToolDefinition[] = [];
  let size = new GroupSize(lengths, comparer);
  for (const tool of tools) {
    if (parts.length === 0 || size.add(tool) > limit) {
      parts.push((part = []));
      size = new GroupSize(lengths, comparer);
      size.add(tool);
    }
    part.push(tool);
  }
  return parts;
}

/** Lengths of schemas by identity: operations share them. */
type Lengths = Map<object, number>;

function lengthOf(schema: unknown, lengths: Lengths): number {
  if (!isNode(schema)) return 4;
  let length = lengths.get(schema);
  if (length === undefined) lengths.set(schema, (length = JSON.stringify(schema).length));
  return length;
}

/** Approximate size of one operation, in characters. */
function sizeOf(tool: AnyToolDefinition, lengths: Lengths): number {
  const document = documentOf(tool);
  return [...namedChildren(document, 'properties'), ...namedChildren(document, '$defs')].reduce(
    (sum, [name, schema]) => sum + name.length + lengthOf(schema, lengths),
    tool.description.length,
  );
}

/** Approximate size of a listed group, in characters. */
class GroupSize {
  readonly #lengths: Lengths;
  readonly #comparer: SchemaComparer;
  readonly #pool: DefinitionPool;
  readonly #properties = new Map<string, Set<number>>();
  #chars = 0;

  constructor(lengths: Lengths, comparer: SchemaComparer) {
    this.#lengths = lengths;
    this.#comparer = comparer;
    this.#pool = new DefinitionPool(comparer);
  }

  /** Adds an operation and returns the new size. */
  add(tool: AnyToolDefinition): number {
    const document = documentOf(tool);
    const properties = namedChildren(document, 'properties');
    // Each argument lists the operations it is for.
    this.#chars += tool.description.length + (tool.name.length + 2) * (properties.length + 2);
    for (const [name, schema] of properties) this.#addProperty(name, lengthOf(schema, this.#lengths));
    this.#pool.embed(document, document, (schema, refTo) => {
      if (schema === document)
        this.#follow(
          properties.map(([, property]) => property),
          refTo,
        );
      else if (isNode(schema)) {
        this.#chars += lengthOf(schema, this.#lengths);
        this.#follow([schema], refTo);
      }
      // Returned unchanged: this only measures.
      return schema;
    });
    return this.#chars;
  }

  #follow(schemas: readonly unknown[], refTo: (ref: string) => string): void {
    for (const schema of schemas)
      if (isNode(schema)) for (const ref of this.#comparer.refsOf(schema)) refTo(ref);
  }

  /** Properties of equal name and length count as equal, which is nearly always true. */
  #addProperty(name: string, length: number): void {
    const known = this.#properties.get(name);
    if (known?.has(length) === true) return;
    this.#chars += name.length + length;
    if (known === undefined) this.#properties.set(name, new Set([length]));
    else known.add(length);
  }
}
