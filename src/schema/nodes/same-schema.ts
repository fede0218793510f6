import { canonicalJson } from '../../base/json/canonical-json.ts';
import { allNodes, isNode } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import type { RefResolver } from './resolve-ref.ts';

/** A schema and the resolver of its document. */
export interface SchemaInDocument {
  readonly schema: unknown;
  readonly resolve: RefResolver;
}

/** Pairs of equal schemas. */
export type SamePairs = ReadonlyMap<unknown, unknown>;

/** Compares schemas of documents that share most of their parts. It caches its results for its lifetime. */
export class SchemaComparer {
  readonly #texts = new WeakMap<SchemaNode, string>();
  readonly #refs = new WeakMap<SchemaNode, readonly string[]>();
  /** Pairs of different schemas, by the two documents. */
  readonly #different = new WeakMap<RefResolver, WeakMap<RefResolver, Map<SchemaNode, Set<SchemaNode>>>>();

  /** Serializes a schema; equal schemas have the same text whatever the order of their keys. */
  textOf(schema: unknown): string {
    if (!isNode(schema)) return canonicalJson(schema);
    let text = this.#texts.get(schema);
    if (text === undefined) this.#texts.set(schema, (text = canonicalJson(schema)));
    return text;
  }

  /**
   * Compares two schemas of two documents, including everything they refer to, whatever the order of their keys. Returns all equal pairs
   * that were found, or undefined if the two differ.
   */
  findSame(a: SchemaInDocument, b: SchemaInDocument): SamePairs | undefined {
    // A pair that is being compared counts as equal: if recursive schemas differ, they differ elsewhere.
    const assumed = new Map<unknown, unknown>();
    const different = this.#differentIn(a.resolve, b.resolve);
    const same = (left: unknown, right: unknown): boolean => {
      if (!isNode(left) || !isNode(right)) return left === right;
      if (assumed.get(left) === right) return true;
      if (different.get(left)?.has(right) === true) return false;
      assumed.set(left, right);
      if (this.textOf(left) === this.textOf(right)) {
        const refs = this.refsOf(left);
        if (refs.every((ref) => same(a.resolve(ref), b.resolve(ref)))) return true;
      }
      const others = different.get(left);
      if (others === undefined) different.set(left, new Set([right]));
      else others.add(right);
      return false;
    };
    return same(a.schema, b.schema) ? assumed : undefined;
  }

  #differentIn(a: RefResolver, b: RefResolver): Map<SchemaNode, Set<SchemaNode>> {
    let ofFirst = this.#different.get(a);
    if (ofFirst === undefined) this.#different.set(a, (ofFirst = new WeakMap()));
    let ofBoth = ofFirst.get(b);
    if (ofBoth === undefined) ofFirst.set(b, (ofBoth = new Map()));
    return ofBoth;
  }

  /** The references in a schema. Equal schemas have equal ones. */
  refsOf(schema: SchemaNode): readonly string[] {
    let refs = this.#refs.get(schema);
    if (refs === undefined) {
      const found = [...allNodes(schema)].flatMap(({ $ref, $dynamicRef }) => [$ref, $dynamicRef]);
      this.#refs.set(schema, (refs = [...new Set(found.filter((ref) => typeof ref === 'string'))]));
    }
    return refs;
  }
}
