import { childrenOf } from './fits.ts';
import type { PatternTest } from '../expressions/pattern.ts';
import { isNode, listedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { judgeKey, kindestVerdict } from './key-rule.ts';
import type { KeyVerdict } from './key-rule.ts';

/** A location in a schema for one value: rules for the value's keys, members and elements. */
export class Place {
  readonly #nodes: readonly SchemaNode[];
  /** Each group holds the alternatives that the value may match; one of them applies. */
  readonly #groups: readonly (readonly Place[])[];
  readonly #matches: PatternTest;
  /** Only for keys that the schema names, so that callers cannot fill it. */
  readonly #children = new Map<string, SchemaNode | undefined>();

  constructor(nodes: readonly SchemaNode[], groups: readonly (readonly Place[])[], matches: PatternTest) {
    this.#nodes = nodes;
    this.#groups = groups;
    this.#matches = matches;
  }

  /** The verdict for a key. */
  judge(key: string): KeyVerdict {
    const groups = this.#groups.map((group) => kindestVerdict(group.map((place) => place.judge(key))));
    return judgeKey(key, { nodes: this.#nodes, groups }, this.#matches);
  }

  /** The allowed keys that are listed, in the order of the schema. */
  knownKeys(): string[] {
    return [...this.#namedKeys()].filter((key) => this.judge(key) === 'known');
  }

  /** The schema of a member or an element; undefined if nothing describes it. */
  member(key: string | number): SchemaNode | undefined {
    return typeof key === 'number' ? this.#item(key) : this.#child(key);
  }

  #child(key: string): SchemaNode | undefined {
    if (this.#children.has(key)) return this.#children.get(key);
    const own = this.#nodes.flatMap((node) => childrenOf(node, key, this.#matches));
    const child = allOf([...own, ...this.#groups.map((group) => childOfGroup(group, key))]);
    if (this.#nodes.some((node) => isNode(node['properties']) && Object.hasOwn(node['properties'], key)))
      this.#children.set(key, child);
    return child;
  }

  #item(index: number): SchemaNode | undefined {
    const own = this.#nodes.map((node) => {
      const first = listedChildren(node, 'prefixItems');
      return index < first.length ? first[index] : node['items'];
    });
    const fromGroups = this.#groups.map((group) => anyOf(group.map((place) => place.#item(index))));
    return allOf([...own, ...fromGroups]);
  }

  #namedKeys(): Set<string> {
    const names = new Set<string>();
    for (const node of this.#nodes) {
      if (isNode(node['properties'])) for (const key of Object.keys(node['properties'])) names.add(key);
    }
    for (const place of this.#groups.flat()) for (const key of place.#namedKeys()) names.add(key);
    return names;
  }
}

/** An alternative that does not allow the key is ignored; one that accepts anything ends the search. */
function childOfGroup(group: readonly Place[], key: string): SchemaNode | undefined {
  const takers = group.filter((place) => !['unsaid', 'forbidden'].includes(place.judge(key)));
  return anyOf((takers.length > 0 ? takers : group).map((place) => place.member(key)));
}

/** Nodes created here, not by the author. They are flattened: nested, they would double with every level of a value. */
const made = new WeakSet<SchemaNode>();

function allOf(schemas: readonly unknown[]): SchemaNode | undefined {
  const nodes = flatten(schemas.filter(isNode), 'allOf');
  return nodes.length > 1 ? make({ allOf: nodes }) : nodes[0];
}

function anyOf(schemas: readonly (SchemaNode | undefined)[]): SchemaNode | undefined {
  if (schemas.includes(undefined)) return undefined;
  const nodes = flatten(schemas.filter(isNode), 'anyOf');
  return nodes.length > 1 ? make({ anyOf: nodes }) : nodes[0];
}

function flatten(nodes: readonly SchemaNode[], keyword: 'allOf' | 'anyOf'): SchemaNode[] {
  const flat = nodes.flatMap((node) =>
    made.has(node) && keyword in node ? listedChildren(node, keyword).filter(isNode) : [node],
  );
  return [...new Set(flat)];
}

function make(node: SchemaNode): SchemaNode {
  made.add(node);
  return node;
}
