import { DefinitionPool } from '../schema/nodes/definition-pool.ts';
import { isNode, namedChildren } from '../schema/nodes/json-node.ts';
import { SchemaComparer } from '../schema/nodes/same-schema.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import { documentOf } from './model/document-of.ts';

/** Characters of the descriptions and schemas of one group; what its operations share counts once. */
const MAX_GROUP_CHARS = 100_000;
/** A group may be so many times as large as its largest operation: what they share is repeated in every part. */
const MAX_TIMES_LARGEST = 2;

/**
 * The operations of a group in parts that a model can still read, in the order of the document. Each is as large as fits: an operation that
 * comes at the end moves no other, unless it is much larger than all of them.
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

/** The lengths of schemas: operations share them. */
type Lengths = Map<object, number>;

function lengthOf(schema: unknown, lengths: Lengths): number {
  if (!isNode(schema)) return 4;
  let length = lengths.get(schema);
  if (length === undefined) lengths.set(schema, (length = JSON.stringify(schema).length));
  return length;
}

/** About how long an operation is by itself. */
function sizeOf(tool: AnyToolDefinition, lengths: Lengths): number {
  const document = documentOf(tool);
  return [...namedChildren(document, 'properties'), ...namedChildren(document, '$defs')].reduce(
    (sum, [name, schema]) => sum + name.length + lengthOf(schema, lengths),
    tool.description.length,
  );
}

/** About how long the listing of a group is. */
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

  /** Adds an operation, and returns how long all of them are. */
  add(tool: AnyToolDefinition): number {
    const document = documentOf(tool);
    const properties = namedChildren(document, 'properties');
    // Each argument says which operations it is for.
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
      // It is only measured.
      return schema;
    });
    return this.#chars;
  }

  #follow(schemas: readonly unknown[], refTo: (ref: string) => string): void {
    for (const schema of schemas)
      if (isNode(schema)) for (const ref of this.#comparer.refsOf(schema)) refTo(ref);
  }

  /** Equal ones are one; those of one length nearly always are. */
  #addProperty(name: string, length: number): void {
    const known = this.#properties.get(name);
    if (known?.has(length) === true) return;
    this.#chars += name.length + length;
    if (known === undefined) this.#properties.set(name, new Set([length]));
    else known.add(length);
  }
}
