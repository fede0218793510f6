import { isNode, listedChildren, mapSubschemas } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import { createRefResolver } from './resolve-ref.ts';
import type { RefResolver } from './resolve-ref.ts';
import { outlineOf, sameSchema } from './same-schema.ts';

/** A definition, and the document it was written for. */
interface Definition {
  readonly name: string;
  readonly source: unknown;
  readonly resolve: RefResolver;
}

/**
 * The definitions of several documents on their way into one. Equal definitions are written once; different ones that claim
 * one name are told apart by a number.
 *
 * Documents must have passed `assertServable`: every reference leads somewhere within them.
 */
export class DefinitionPool {
  readonly #written = new Map<string, SchemaNode>();
  readonly #taken = new Set<string>();
  /** Definitions by their outline: only what looks alike is compared. */
  readonly #alike = new Map<string, Definition[]>();

  /**
   * A document, or another node that speaks of its definitions, as it stands in the merged one: without identity and
   * definitions of its own, every reference pointing into the pool.
   */
  embed(document: SchemaNode, node: SchemaNode = document): SchemaNode {
    const resolve = createRefResolver(document);
    const names = new Map<unknown, string>();
    const waiting: Definition[] = [];
    const refTo = (ref: string): string => {
      const source = resolve(ref);
      if (!isNode(source) && typeof source !== 'boolean') return ref;
      let name = names.get(source);
      if (name === undefined) {
        const wanted = source === document ? 'root' : nameIn(ref);
        const found = this.#findSame(source, resolve);
        const definition = found ?? this.#add({ name: this.#freeName(wanted), source, resolve });
        if (found === undefined) waiting.push(definition);
        ({ name } = definition);
        names.set(source, name);
      }
      return `#/$defs/${name}`;
    };
    const embedded = rewrite(node, refTo);
    // The list grows while it is walked: definitions refer to further ones.
    for (const { name, source } of waiting) this.#written.set(name, rewrite(source, refTo));
    return embedded;
  }

  /** What stands under `$defs` of the merged document; undefined when nothing is referred to. */
  definitions(): Record<string, SchemaNode> | undefined {
    return this.#written.size === 0 ? undefined : Object.fromEntries(this.#written);
  }

  #findSame(source: unknown, resolve: RefResolver): Definition | undefined {
    const candidates = this.#alike.get(outlineOf(source)) ?? [];
    return candidates.find((other) =>
      sameSchema({ schema: source, resolve }, { schema: other.source, resolve: other.resolve }),
    );
  }

  #add(definition: Definition): Definition {
    const outline = outlineOf(definition.source);
    const alike = this.#alike.get(outline);
    if (alike === undefined) this.#alike.set(outline, [definition]);
    else alike.push(definition);
    return definition;
  }

  #freeName(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${wanted}-${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** The last part of a reference, in letters that need no escaping in another one. */
function nameIn(ref: string): string {
  const last = ref.slice(ref.lastIndexOf('/') + 1).replace(/^#/, '');
  let decoded = last;
  try {
    decoded = decodeURIComponent(last);
  } catch {
    // Not percent-encoded after all: take it as it is written.
  }
  return decoded.replaceAll(/(?:~[01]|[^\w.-])+/g, '_') || 'definition';
}

function rewrite(schema: unknown, refTo: (ref: string) => string): SchemaNode {
  if (!isNode(schema)) return schema === false ? { not: {} } : {};
  const {
    $schema: _schema,
    $id: _id,
    $anchor: _anchor,
    $dynamicAnchor: _dynamicAnchor,
    $defs: _defs,
    definitions: _definitions,
    $dynamicRef,
    ...rest
  } = schema as Record<string, unknown>;
  const written = mapSubschemas(rest, (child) => (isNode(child) ? rewrite(child, refTo) : child));
  if (typeof rest['$ref'] === 'string') written['$ref'] = refTo(rest['$ref']);
  if (typeof $dynamicRef !== 'string') return written;
  // In one document without embedded others, a dynamic reference is a plain one.
  if (!('$ref' in written)) return { $ref: refTo($dynamicRef), ...written };
  return { ...written, allOf: [...listedChildren(written, 'allOf'), { $ref: refTo($dynamicRef) }] };
}
