import { isNode, listedChildren, namedChildren, namedTypes } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import { compilePattern } from './pattern.ts';
import { createRefResolver } from './resolve-ref.ts';
import type { RefResolver } from './resolve-ref.ts';

/** What a node says once its references and `allOf` members are laid side by side. */
interface Facets {
  /** Every node that applies to the same value without a choice. */
  readonly nodes: readonly SchemaNode[];
  /** One entry per `anyOf` or `oneOf`: the alternatives to choose from. */
  readonly choices: readonly (readonly SchemaNode[])[];
}

/** How the keys of an object are governed at a node. */
export interface KeyRule {
  /** Whether the node knows the key. */
  isKnown(key: string): boolean;
  /** The keys written out, in the order of the schema. */
  readonly known: readonly string[];
  /** `open`: other keys are welcome; `closed`: the author forbids them; `unsaid`: the registry decides. */
  readonly others: 'open' | 'closed' | 'unsaid';
}

/**
 * Reads one JSON Schema document in the way a value meets it: references followed, `allOf` merged, `anyOf` and `oneOf`
 * narrowed to the alternatives that the value can belong to.
 *
 * The document must have passed `assertServable`: it guarantees that following parts of one value comes to an end.
 */
export class SchemaView {
  readonly root: SchemaNode;
  readonly #resolve: RefResolver;
  readonly #facets = new WeakMap<SchemaNode, Facets>();

  constructor(root: SchemaNode) {
    this.root = root;
    this.#resolve = createRefResolver(root);
  }

  /** Every node that applies to this value at this place, chosen alternatives included. */
  nodesFor(node: SchemaNode, value: unknown): readonly SchemaNode[] {
    const { nodes, choices } = this.facetsOf(node);
    if (choices.length === 0) return nodes;
    const all = [...nodes];
    for (const choice of choices) {
      for (const alternative of this.#plausible(choice, value))
        all.push(...this.nodesFor(alternative, value));
    }
    return all;
  }

  /** The node for a member of an object; undefined when nothing describes it. */
  childNode(node: SchemaNode, key: string, parent: unknown): SchemaNode | undefined {
    const found: SchemaNode[] = [];
    for (const part of this.nodesFor(node, parent)) {
      const { properties } = part as { properties?: unknown };
      const named = isNode(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
      const matched = namedChildren(part, 'patternProperties').filter(([pattern]) =>
        matchesKey(pattern, key),
      );
      const children = named === undefined ? matched.map(([, child]) => child) : [named];
      if (children.length === 0) children.push(part['additionalProperties']);
      found.push(...children.filter(isNode));
    }
    return merge(found);
  }

  /** The node for an element of an array; undefined when nothing describes it. */
  itemNode(node: SchemaNode, index: number, parent: unknown): SchemaNode | undefined {
    const found: SchemaNode[] = [];
    for (const part of this.nodesFor(node, parent)) {
      const child = listedChildren(part, 'prefixItems')[index] ?? part['items'];
      if (isNode(child)) found.push(child);
    }
    return merge(found);
  }

  /** How the keys of an object value are governed. */
  keyRule(node: SchemaNode, value: Readonly<Record<string, unknown>>): KeyRule {
    const { nodes, choices } = this.facetsOf(node);
    const parts = [...nodes];
    for (const choice of choices) {
      const fitting = this.#bestFit(choice, value, parts);
      for (const alternative of fitting) parts.push(...this.nodesFor(alternative, value));
    }
    return ruleOf(parts);
  }

  /** The types a value may have here; undefined when the schema leaves it open. */
  acceptedTypes(node: SchemaNode): ReadonlySet<string> | undefined {
    const { nodes, choices } = this.facetsOf(node);
    let accepted: ReadonlySet<string> | undefined;
    const narrow = (types: ReadonlySet<string> | undefined): void => {
      if (types === undefined) return;
      accepted = accepted === undefined ? types : new Set([...accepted].filter((type) => types.has(type)));
    };
    for (const part of nodes) narrow(ownTypes(part));
    for (const choice of choices) {
      const union = new Set<string>();
      let isOpen = false;
      for (const alternative of choice) {
        const types = this.acceptedTypes(alternative);
        if (types === undefined) isOpen = true;
        else for (const type of types) union.add(type);
      }
      if (!isOpen) narrow(union);
    }
    return accepted;
  }

  /** The parts of a node, computed once. */
  facetsOf(node: SchemaNode): Facets {
    let facets = this.#facets.get(node);
    if (facets === undefined) {
      facets = this.#collect(node);
      this.#facets.set(node, facets);
    }
    return facets;
  }

  #collect(start: SchemaNode): Facets {
    const nodes = new Set<SchemaNode>();
    const choices: (readonly SchemaNode[])[] = [];
    const visit = (schema: unknown): void => {
      if (!isNode(schema) || nodes.has(schema)) return;
      nodes.add(schema);
      for (const keyword of ['$ref', '$dynamicRef']) {
        const ref = schema[keyword];
        if (typeof ref === 'string') visit(this.#resolve(ref));
      }
      for (const child of listedChildren(schema, 'allOf')) visit(child);
      // Which of these apply depends on the value; for the question "which keys and types are known" they all count.
      for (const keyword of ['then', 'else']) visit(schema[keyword]);
      for (const [, child] of namedChildren(schema, 'dependentSchemas')) visit(child);
      for (const keyword of ['anyOf', 'oneOf']) {
        const alternatives = listedChildren(schema, keyword).filter(isNode);
        if (alternatives.length > 0) choices.push(alternatives);
      }
    };
    visit(start);
    return { nodes: [...nodes], choices };
  }

  /** The alternatives the value can belong to, judged by type and constant members; all of them if none fits. */
  #plausible(choice: readonly SchemaNode[], value: unknown): readonly SchemaNode[] {
    const fitting = choice.filter((alternative) => this.#couldBe(alternative, value));
    return fitting.length > 0 ? fitting : choice;
  }

  /** Of the plausible alternatives, the one that knows the value's keys best; several only if they tie. */
  #bestFit(
    choice: readonly SchemaNode[],
    value: Readonly<Record<string, unknown>>,
    base: readonly SchemaNode[],
  ): readonly SchemaNode[] {
    const plausible = this.#plausible(choice, value);
    if (plausible.length < 2) return plausible;
    const strangers = plausible.map((alternative) => {
      const rule = ruleOf([...base, ...this.nodesFor(alternative, value)]);
      return rule.others === 'open' ? 0 : Object.keys(value).filter((key) => !rule.isKnown(key)).length;
    });
    const fewest = Math.min(...strangers);
    return plausible.filter((_, index) => strangers[index] === fewest);
  }

  #couldBe(node: SchemaNode, value: unknown): boolean {
    const accepted = this.acceptedTypes(node);
    if (accepted !== undefined && !typesOf(value).some((type) => accepted.has(type))) return false;
    if (!isNode(value)) return true;
    for (const part of this.facetsOf(node).nodes) {
      for (const [key, child] of namedChildren(part, 'properties')) {
        if (isNode(child) && 'const' in child && Object.hasOwn(value, key) && value[key] !== child['const'])
          return false;
      }
    }
    return true;
  }
}

function ruleOf(parts: readonly SchemaNode[]): KeyRule {
  const known = new Set<string>();
  const patterns: string[] = [];
  let others: KeyRule['others'] = 'open';
  let isExplicitlyOpen = false;
  let isExplicitlyClosed = false;
  for (const part of parts) {
    if (isNode(part['properties'])) {
      if (others === 'open') others = 'unsaid';
      for (const key of Object.keys(part['properties'])) known.add(key);
    }
    for (const [pattern] of namedChildren(part, 'patternProperties')) patterns.push(pattern);
    const explicit = part['additionalProperties'] ?? part['unevaluatedProperties'];
    if (explicit === false) isExplicitlyClosed = true;
    else if (explicit !== undefined) isExplicitlyOpen = true;
  }
  if (isExplicitlyOpen) others = 'open';
  else if (isExplicitlyClosed) others = 'closed';
  return {
    known: [...known],
    others,
    isKnown: (key) => known.has(key) || patterns.some((pattern) => matchesKey(pattern, key)),
  };
}

function merge(nodes: readonly SchemaNode[]): SchemaNode | undefined {
  return nodes.length > 1 ? { allOf: nodes } : nodes[0];
}

function matchesKey(pattern: string, key: string): boolean {
  return compilePattern(pattern).test(key);
}

function ownTypes(node: SchemaNode): ReadonlySet<string> | undefined {
  const named = namedTypes(node);
  if (named !== undefined) return new Set(named.includes('number') ? [...named, 'integer'] : named);
  if ('const' in node) return new Set(typesOf(node['const']));
  if (Array.isArray(node['enum'])) return new Set((node['enum'] as readonly unknown[]).flatMap(typesOf));
  return undefined;
}

/** The JSON Schema types of a value; a whole number is both `integer` and `number`. */
export function typesOf(value: unknown): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}
