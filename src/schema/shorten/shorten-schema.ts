import { isNode, subschemas } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { createRefResolver, decodePart } from '../nodes/resolve-ref.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';
import { outlineSchema } from './outline-schema.ts';
import { isDefinition, isLeaf, pointerTo, refOf, toExcerpt } from './excerpt.ts';

/** Options of {@link shortenSchema}. */
export interface ShortenOptions {
  /** Whether a schema is short enough. */
  readonly fits: (schema: unknown) => boolean;
  /** The requested part, as a reference within the document, such as `#/properties/body`. Default: the whole document. */
  readonly at?: string;
  /** Prefix of the references to omitted parts, to distinguish documents. Default: `''`. */
  readonly base?: string;
}

/** A shortened schema, and whether it is complete. */
export interface Shortened {
  readonly schema: unknown;
  readonly isWhole: boolean;
}

/** Maximum depth; deeper than any schema that a model can follow. */
const MAX_LEVELS = 64;

/**
 * As much of a schema as fits, level by level. An omitted part keeps its type and the beginning of its description, and gets
 * `x-path`: the reference that returns it on request. The result is a valid JSON Schema that accepts everything the whole schema
 * accepts. Undefined if the document has no such part.
 */
export function shortenSchema(
  document: SchemaNode,
  { fits, at = '#', base = '' }: ShortenOptions,
): Shortened | undefined {
  const resolve = createRefResolver(document);
  const part = resolve(at);
  if (typeof part === 'boolean') return { schema: part, isWhole: true };
  if (!isNode(part)) return undefined;
  if (part === document && fits(document)) return { schema: document, isWhole: true };
  const writer = new PartWriter({ part, at, base, resolve });
  const whole = writer.write(Infinity);
  if (!whole.isCut && fits(whole.schema)) return { schema: whole.schema, isWhole: true };
  let best: SchemaNode | undefined;
  for (let level = 0; level <= MAX_LEVELS; level += 1) {
    const { schema, isDeeper } = writer.write(level);
    if (!fits(schema)) break;
    best = schema;
    if (!isDeeper) break;
  }
  return { schema: best ?? outlineSchema(part, { at: `${base}${at}`, fits }), isWhole: false };
}

interface PartOptions {
  readonly part: SchemaNode;
  readonly at: string;
  readonly base: string;
  readonly resolve: RefResolver;
}

/** A written part. */
interface Written {
  readonly schema: SchemaNode;
  /** Whether something is omitted. */
  readonly isCut: boolean;
  /** Whether the next level has more. */
  readonly isDeeper: boolean;
}

/** Location of a node. */
interface Place {
  readonly depth: number;
  readonly pointer: string;
}

/** Keywords that accept less if a schema in them accepts more, or that depend on the evaluation of other schemas. */
const FRAGILE: ReadonlySet<string> = new Set([
  'not',
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'unevaluatedProperties',
  'unevaluatedItems',
]);

/** Writes a part of a document down to a depth. A definition is as deep as the first reference to it. */
class PartWriter {
  readonly #options: PartOptions;
  /** The depth of each definition, by reference. */
  readonly #depths: ReadonlyMap<string, number>;
  #level = 0;
  #isCut = false;
  #isDeeper = false;

  constructor(options: PartOptions) {
    this.#options = options;
    this.#depths = depthsOf(options.part, options.resolve);
  }

  write(level: number): Written {
    this.#level = level;
    this.#isCut = false;
    this.#isDeeper = false;
    const { part, at, resolve } = this.#options;
    const schema: Record<string, unknown> = this.#node(part, { depth: 0, pointer: at });
    const definitions = new Map<string, [name: string, schema: unknown][]>();
    for (const [ref, depth] of this.#depths) {
      if (depth > level) continue;
      const [, keyword = '', name = ''] = ref.split('/');
      const target = resolve(ref);
      const written = isNode(target) ? this.#node(target, { depth, pointer: ref }) : target;
      const others = definitions.get(keyword) ?? [];
      definitions.set(keyword, others);
      others.push([decodePart(name), written]);
    }
    for (const [keyword, named] of definitions) schema[keyword] = Object.fromEntries(named);
    return { schema, isCut: this.#isCut, isDeeper: this.#isDeeper };
  }

  #node(node: SchemaNode, { depth, pointer }: Place): Record<string, unknown> {
    const ref = refOf(node);
    if (ref !== undefined && !this.#depths.has(ref)) return this.#excerpt(node, pointer);
    const written: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === '$defs' || keyword === 'definitions') continue;
      if (this.#level !== Infinity && FRAGILE.has(keyword)) continue;
      const parts = subschemas(node, [keyword]).map(({ path, schema }) => {
        const name = path === keyword ? undefined : path.slice(keyword.length + 1);
        const place = { depth: depth + 1, pointer: pointerTo(pointer, keyword, name) };
        return [name, this.#child(schema, place)] as const;
      });
      written[keyword] = parts.length === 0 ? value : asWritten(value, parts);
    }
    return this.#level === Infinity ? written : withoutOneOf(written);
  }

  #child(schema: unknown, place: Place): unknown {
    if (!isNode(schema) || isLeaf(schema)) return schema;
    if (place.depth <= this.#level) return this.#node(schema, place);
    this.#isDeeper = true;
    return this.#excerpt(schema, place.pointer);
  }

  #excerpt(node: SchemaNode, pointer: string): Record<string, unknown> {
    this.#isCut = true;
    return toExcerpt(node, pointer, this.#options);
  }
}

/** The parts of a keyword in their original form: one, an array, or by name. */
function asWritten(value: unknown, parts: readonly (readonly [string | undefined, unknown])[]): unknown {
  const [first] = parts;
  if (first?.[0] === undefined) return first?.[1];
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

/** Alternatives that accept more may overlap, so `oneOf` becomes `anyOf`. */
function withoutOneOf(node: Record<string, unknown>): Record<string, unknown> {
  const { oneOf, ...rest } = node;
  return oneOf === undefined || 'anyOf' in rest ? rest : { ...rest, anyOf: oneOf };
}

/** Depths of the definitions that a part refers to, directly or indirectly, nearest first. */
function depthsOf(part: SchemaNode, resolve: RefResolver): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  let layer = [part];
  for (let depth = 0; layer.length > 0; depth += 1) {
    const next: SchemaNode[] = [];
    // The array grows during the iteration: a reference is as deep as its target.
    for (const node of layer) {
      const ref = refOf(node);
      if (ref !== undefined && isDefinition(ref) && !depths.has(ref)) {
        depths.set(ref, depth);
        const target = resolve(ref);
        if (isNode(target)) layer.push(target);
      }
      for (const { keyword, schema } of subschemas(node))
        if (isNode(schema) && keyword !== '$defs' && keyword !== 'definitions') next.push(schema);
    }
    layer = next;
  }
  return depths;
}
