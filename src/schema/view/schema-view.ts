import { IssueCounter } from './count-issues.ts';
import { knowsKey } from './key-rule.ts';
import { isNode, listedChildren, namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { intersect, ownTypes, typesOf } from '../nodes/json-types.ts';
import { createPatternTest } from '../expressions/pattern.ts';
import type { PatternTest } from '../expressions/pattern.ts';
import type { PatternLimits } from '../expressions/bounded-expression.ts';
import { Place } from './place.ts';
import { createRefResolver, targetsOf } from '../nodes/resolve-ref.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';
import { sameJson } from '../../base/json/same-json.ts';

/** Keywords whose result may depend on any key. */
const ASKING = [
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'not',
] as const;

/** A node with its references and `allOf` members laid side by side. */
export interface Facets {
  /** Every node that always applies to the value. */
  readonly nodes: readonly SchemaNode[];
  /** One entry per `anyOf` or `oneOf`: the alternatives to choose from. */
  readonly choices: readonly (readonly SchemaNode[])[];
  /** Parts that apply only to some values: `if`/`then`/`else` and `dependentSchemas`. */
  readonly conditions: readonly Condition[];
}

interface Condition {
  /** The schemas that apply to this value. */
  select(value: unknown): readonly unknown[];
  /** All schemas that could apply. */
  readonly parts: readonly SchemaNode[];
}

/** Options of a {@link SchemaView}. */
export interface ViewOptions {
  /** Whether strings of digits are integers if the format is a 64-bit integer. */
  readonly takesDigits?: boolean;
  /** Counts the matches of patterns. */
  readonly limits?: PatternLimits | undefined;
}

/**
 * Reads one JSON Schema document for a value: references followed, `allOf` merged, `anyOf`, `oneOf` and
 * conditions narrowed to what applies to the value.
 *
 * The document must have passed `assertServable`, which guarantees that following the parts of one value ends.
 */
export class SchemaView {
  readonly root: SchemaNode;
  readonly matches: PatternTest;
  readonly resolve: RefResolver;
  readonly takesDigits: boolean;
  readonly #facets = new WeakMap<SchemaNode, Facets>();
  readonly #nodes = new WeakMap<SchemaNode, readonly SchemaNode[]>();
  readonly #types = new WeakMap<SchemaNode, ReadonlySet<string> | 'any'>();
  readonly #places = new WeakMap<SchemaNode, Place>();
  /** Cached results for the values of one call, by whether forbidden keys count. */
  #strict: IssueCounter | undefined;
  #lenient: IssueCounter | undefined;
  /** Number of alternatives compared to explain values that match none of them. */
  #misfits = 0;

  constructor(root: SchemaNode, { takesDigits = false, limits }: ViewOptions = {}) {
    this.root = root;
    this.takesDigits = takesDigits;
    this.matches = createPatternTest(limits);
    this.resolve = createRefResolver(root);
  }

  /** Call it before each new value: values may change between two calls, never during one. */
  begin(): void {
    this.#misfits = 0;
    this.#strict = undefined;
    this.#lenient = undefined;
  }

  /** Whether a value can match a schema; used to choose between alternatives. */
  #fits(schema: unknown, value: unknown): boolean {
    this.#strict ??= new IssueCounter(this, { limit: 1 });
    return this.#strict.count(schema, { value }) === 0;
  }

  #fitsButForKeys(schema: unknown, value: unknown): boolean {
    this.#lenient ??= new IssueCounter(this, { limit: 1, ignoresKeys: true });
    return this.#lenient.count(schema, { value }) === 0;
  }

  /** Whether an object has a key that is forbidden here. */
  hasForbiddenKey(node: SchemaNode, object: SchemaNode): boolean {
    const place = this.at(node, object);
    return Object.keys(object).some((key) => place.judge(key) === 'forbidden');
  }

  /** The place of this node for this value. Nodes without alternatives are prepared once for all values. */
  at(node: SchemaNode, value: unknown): Place {
    const prepared = this.#places.get(node);
    if (prepared !== undefined) return prepared;
    const { nodes, choices, conditions } = this.facetsOf(node);
    const groups: Place[][] = [];
    for (const condition of conditions) {
      for (const part of condition.select(value)) if (isNode(part)) groups.push([this.at(part, value)]);
    }
    for (const choice of choices) groups.push(this.#choose(choice, value));
    const place = new Place(nodes, groups, this.matches);
    if (choices.length === 0 && conditions.length === 0) this.#places.set(node, place);
    return place;
  }

  /** The types a value may have here; undefined if the schema leaves them open. */
  acceptedTypes(node: SchemaNode): ReadonlySet<string> | undefined {
    const remembered = this.#types.get(node);
    if (remembered !== undefined) return remembered === 'any' ? undefined : remembered;
    const { nodes, choices } = this.facetsOf(node);
    let accepted: ReadonlySet<string> | undefined;
    for (const part of nodes) accepted = intersect(accepted, ownTypes(part));
    for (const choice of choices) {
      const types = choice.map((alternative) => this.acceptedTypes(alternative));
      const isOpen = types.includes(undefined);
      if (!isOpen) accepted = intersect(accepted, new Set(types.flatMap((set) => [...(set ?? [])])));
    }
    this.#types.set(node, accepted ?? 'any');
    return accepted;
  }

  /** Every node that describes the same value as this one, whether it applies always or to some values. */
  nodesOfValue(node: SchemaNode): readonly SchemaNode[] {
    let found = this.#nodes.get(node);
    if (found === undefined) {
      const { nodes, choices, conditions } = this.facetsOf(node);
      const others = [...choices.flat(), ...conditions.flatMap(({ parts }) => parts)];
      found = [...new Set([...nodes, ...others.flatMap((part) => this.nodesOfValue(part))])];
      this.#nodes.set(node, found);
    }
    return found;
  }

  /** Whether any part of the node, chosen or not, describes this key. */
  mentions(node: SchemaNode, key: string): boolean {
    return this.nodesOfValue(node).some((part) => knowsKey(part, key, this.matches));
  }

  /** Whether a condition of the node depends on this key. Without the key its result might change. */
  isAskedFor(node: SchemaNode, key: string): boolean {
    return this.nodesOfValue(node).some(({ if: test }) => {
      if (!isNode(test)) return false;
      const asksForAll = this.nodesOfValue(test).some((part) => ASKING.some((keyword) => keyword in part));
      return asksForAll || this.mentions(test, key);
    });
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
    const conditions: Condition[] = [];
    const visit = (schema: unknown): void => {
      if (!isNode(schema) || nodes.has(schema)) return;
      nodes.add(schema);
      for (const target of targetsOf(schema, this.resolve)) visit(target);
      for (const child of listedChildren(schema, 'allOf')) visit(child);
      for (const keyword of ['anyOf', 'oneOf']) {
        const alternatives = listedChildren(schema, keyword).filter((entry) => entry !== false);
        if (alternatives.length > 0) choices.push(alternatives.map((entry) => (isNode(entry) ? entry : {})));
      }
      conditions.push(...this.#conditionsOf(schema));
    };
    visit(start);
    return { nodes: [...nodes], choices, conditions };
  }

  #conditionsOf(schema: SchemaNode): Condition[] {
    const conditions: Condition[] = namedChildren(schema, 'dependentSchemas').map(([key, child]) => ({
      parts: [child].filter(isNode),
      select: (value) => (isNode(value) && Object.hasOwn(value, key) ? [child] : []),
    }));
    if ('if' in schema) {
      const { if: test, then: yes, else: no } = schema as { if?: unknown; then?: unknown; else?: unknown };
      conditions.push({
        parts: [test, yes, no].filter(isNode),
        // A condition that holds has evaluated its keys as well, so they count as described.
        select: (value) => (this.#fits(test, value) ? [test, yes] : [no]),
      });
    }
    return conditions;
  }

  /**
   * The alternatives that the value matches. If it matches none, it is invalid, and the choice only serves the explanation: the alternative
   * that would match without unknown keys, else those that know most of the keys.
   */
  #choose(choice: readonly SchemaNode[], value: unknown): Place[] {
    if (this.#misfits > MAX_MISFITS) return choice.slice(0, 1).map((node) => this.at(node, value));
    const types = typesOf(value);
    const plausible = choice.filter((alternative) => this.#couldBe(alternative, value, types));
    const places = (nodes: readonly SchemaNode[]): Place[] => nodes.map((node) => this.at(node, value));
    if (plausible.length === 0) {
      this.#misfits += choice.length;
      return isNode(value) ? fewestStrangers(places(choice), Object.keys(value)) : places(choice);
    }
    if (plausible.length === 1) return places(plausible);
    const fitting = plausible.filter((alternative) => this.#fits(alternative, value));
    if (fitting.length > 0 || !isNode(value)) return places(fitting.length > 0 ? fitting : plausible);
    const nearly = plausible.filter((alternative) => this.#fitsButForKeys(alternative, value));
    const closest = fewestStrangers(places(nearly.length > 0 ? nearly : plausible), Object.keys(value));
    return nearly.length > 0 ? closest.slice(0, 1) : closest;
  }

  /** Fast part of the comparison: types, and members with one possible value, such as the `kind` of a union. */
  #couldBe(node: SchemaNode, value: unknown, types: readonly string[]): boolean {
    const accepted = this.acceptedTypes(node);
    if (accepted !== undefined && !types.some((type) => accepted.has(type))) return false;
    if (!isNode(value)) return true;
    for (const part of this.facetsOf(node).nodes) {
      if ('const' in part && !sameJson(part['const'], value)) return false;
      const { properties } = part as { properties?: unknown };
      if (!isNode(properties)) continue;
      for (const key of Object.keys(properties)) {
        const child = properties[key];
        if (!isNode(child) || !('const' in child) || !Object.hasOwn(value, key)) continue;
        if (typeof child['const'] !== 'object' && child['const'] !== value[key]) return false;
      }
    }
    return true;
  }
}

/** Above this number the value is certainly invalid, and further comparisons do not change the explanation. */
const MAX_MISFITS = 100_000;

function fewestStrangers(places: readonly Place[], keys: readonly string[]): Place[] {
  const strangers = places.map(
    (place) => keys.filter((key) => ['unsaid', 'forbidden'].includes(place.judge(key))).length,
  );
  const fewest = Math.min(...strangers);
  return places.filter((_, index) => strangers[index] === fewest);
}
