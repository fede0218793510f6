import { isNode, listedChildren, mapSubschemas, withoutNames } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import { createRefResolver, decodePart } from './resolve-ref.ts';
import { SchemaComparer } from './same-schema.ts';
import type { SchemaInDocument } from './same-schema.ts';

/** Returns the reference into the pool that replaces another reference. */
export type RefTo<TVariant> = (ref: string, variant?: TVariant) => string;

/** Rewrites a schema, its references with `refTo`. A definition that is referred to in several variants is written once per variant. */
export type WriteSchema<TVariant> = (schema: unknown, refTo: RefTo<TVariant>, variant?: TVariant) => unknown;

interface Definition extends SchemaInDocument {
  readonly name: string;
  /** Names of all definitions of the same document in the same variant. */
  readonly names: ReadonlyMap<unknown, string>;
}

/**
 * Merges the definitions of several documents. Equal definitions are written once; different ones with the same name
 * get a number.
 *
 * Documents must have passed `assertServable`: every reference resolves within them.
 */
export class DefinitionPool {
  readonly #written = new Map<string, SchemaNode>();
  readonly #taken = new Set<string>();
  readonly #comparer: SchemaComparer;
  /** Definitions by variant and outline: only similar ones are compared. */
  readonly #alike = new Map<string, Definition[]>();

  /** Pools of the same documents can share a comparer. */
  constructor(comparer: SchemaComparer = new SchemaComparer()) {
    this.#comparer = comparer;
  }

  /**
   * Rewrites a document, or another node that refers to its definitions, for the merged document: without its own identity and definitions,
   * and with all references into the pool.
   */
  embed<TVariant extends string>(
    document: SchemaNode,
    node: SchemaNode = document,
    write: WriteSchema<TVariant> = copySchema,
  ): SchemaNode {
    const resolve = createRefResolver(document);
    const names = new Map<TVariant | undefined, Map<unknown, string>>();
    const waiting: { name: string; schema: unknown; variant: TVariant | undefined }[] = [];
    const refTo: RefTo<TVariant> = (ref, variant) => {
      const schema = resolve(ref);
      let known = names.get(variant);
      if (known === undefined) names.set(variant, (known = new Map()));
      let name = known.get(schema);
      if (name === undefined) {
        const alike = this.#alikeTo(schema, variant);
        name = this.#takeKnown(alike, { schema, resolve }, known);
        if (name === undefined) {
          name = this.#freeName(schema === document ? 'root' : nameIn(ref), variant);
          alike.push({ name, schema, resolve, names: known });
          waiting.push({ name, schema, variant });
        }
        known.set(schema, name);
      }
      return `#/$defs/${name}`;
    };
    const embedded = write(node, refTo) as SchemaNode;
    // The array grows during the iteration: definitions refer to further ones.
    for (const { name, schema, variant } of waiting)
      this.#written.set(name, toNode(write(schema, refTo, variant)));
    return embedded;
  }

  /** The `$defs` of the merged document; undefined if nothing is referred to. */
  definitions(): Record<string, SchemaNode> | undefined {
    return this.#written.size === 0 ? undefined : Object.fromEntries(this.#written);
  }

  #alikeTo(schema: unknown, variant = ''): Definition[] {
    const key = `${variant} ${this.#comparer.textOf(schema)}`;
    let alike = this.#alike.get(key);
    if (alike === undefined) this.#alike.set(key, (alike = []));
    return alike;
  }

  /** Returns the name of an equal definition. Everything the two refer to is equal as well, and is not compared again. */
  #takeKnown(
    alike: readonly Definition[],
    here: SchemaInDocument,
    names: Map<unknown, string>,
  ): string | undefined {
    for (const other of alike) {
      const pairs = this.#comparer.findSame(here, other);
      if (pairs === undefined) continue;
      for (const [own, theirs] of pairs) {
        const name = other.names.get(theirs);
        if (name !== undefined && !names.has(own)) names.set(own, name);
      }
      return other.name;
    }
    return undefined;
  }

  #freeName(wanted: string, variant: string | undefined): string {
    const start = variant === undefined ? wanted : `${wanted}-${variant}`;
    let name = this.#taken.has(wanted) ? start : wanted;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${start}-${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** The last part of a reference, in characters that need no escaping. */
function nameIn(ref: string): string {
  const last = ref.slice(ref.lastIndexOf('/') + 1).replace(/^#/, '');
  return decodePart(last).replaceAll(/[^\w.-]+/g, '_') || 'definition';
}

function toNode(schema: unknown): SchemaNode {
  if (isNode(schema)) return schema;
  return schema === false ? { not: {} } : {};
}

function copySchema(schema: unknown, refTo: (ref: string) => string): unknown {
  if (!isNode(schema)) return schema;
  const copy = mapSubschemas(withoutNames(schema), (child) => copySchema(child, refTo));
  return pointRefs(copy, refTo);
}

/** The node with rewritten references. Within one document, a dynamic reference is a plain one. */
export function pointRefs(node: SchemaNode, refTo: (ref: string) => string): Record<string, unknown> {
  const { $dynamicRef, ...pointed } = node as Record<string, unknown>;
  if (typeof pointed['$ref'] === 'string') pointed['$ref'] = refTo(pointed['$ref']);
  if (typeof $dynamicRef !== 'string') return pointed;
  if (!('$ref' in pointed)) return { $ref: refTo($dynamicRef), ...pointed };
  return { ...pointed, allOf: [...listedChildren(pointed, 'allOf'), { $ref: refTo($dynamicRef) }] };
}
