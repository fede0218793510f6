import { isNode, listedChildren, namedChildren } from '../../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../../schema/nodes/json-node.ts';
import type { References } from '../../document/references.ts';
import type { Located } from '../../model/operation.ts';
import { schemaRefOf } from './schema-ref.ts';

/** Relation of a schema to another one that describes the same value: a part (`allOf`), an alternative, or a condition. */
export type Step = 'choice' | 'condition' | 'part';

interface Entry {
  readonly schema: Located<object>;
  /** The order of discovery, and the earliest node that can be reached. */
  readonly index: number;
  low: number;
  readonly next: readonly Located<object>[];
  at: number;
}

/**
 * Finds schemas that refer back to themselves without a step into the value, such as a base that lists its subtypes while each of these is
 * built on the base. No validator terminates on them. Every schema is visited once (Tarjan's algorithm).
 */
export class ReferenceLoops {
  readonly #references: References;
  readonly #countsParts: boolean;
  readonly #loops = new Map<object, number>();

  constructor(references: References, { countsParts }: { readonly countsParts: boolean }) {
    this.#references = references;
    this.#countsParts = countsParts;
  }

  /** Whether each of the two refers to the other. */
  areEntwined(one: Located, other: Located): boolean {
    if (!isNode(one.value) || !isNode(other.value)) return false;
    return (
      one.value === other.value ||
      this.#loopOf({ value: one.value, base: one.base }) ===
        this.#loopOf({ value: other.value, base: other.base })
    );
  }

  #loopOf(schema: Located<object>): number | undefined {
    if (!this.#loops.has(schema.value)) this.#explore(schema);
    return this.#loops.get(schema.value);
  }

  #explore(start: Located<object>): void {
    const entries = new Map<object, Entry>();
    const path: Entry[] = [];
    const unsettled: Entry[] = [];
    const enter = (schema: Located<object>): void => {
      const index = entries.size;
      const entry = { schema, index, low: index, next: this.#next(schema), at: 0 };
      entries.set(schema.value, entry);
      path.push(entry);
      unsettled.push(entry);
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.next[top.at];
      top.at += 1;
      if (next === undefined) {
        path.pop();
        const below = path.at(-1);
        if (below !== undefined) below.low = Math.min(below.low, top.low);
        if (top.low === top.index) this.#settle(unsettled, top);
      } else if (!this.#loops.has(next.value)) {
        const known = entries.get(next.value);
        if (known === undefined) enter(next);
        else top.low = Math.min(top.low, known.index);
      }
    }
  }

  #settle(unsettled: Entry[], first: Entry): void {
    const number = this.#loops.size;
    for (let entry = unsettled.pop(); entry !== undefined; entry = unsettled.pop()) {
      this.#loops.set(entry.schema.value, number);
      if (entry === first) return;
    }
  }

  #counts(step: Step): boolean {
    return step !== 'part' || this.#countsParts;
  }

  /** The schemas that a schema refers to for the same value. */
  #next({ value, base }: Located<object>): readonly Located<object>[] {
    const found: Located<object>[] = [];
    const waiting: [Located, Step][] = [[{ value, base }, 'part']];
    for (const [schema, step] of waiting) {
      if (!isNode(schema.value)) continue;
      const own = this.#references.baseWithin(schema.value, schema.base);
      const ref = schemaRefOf(schema.value);
      const target = ref === undefined ? undefined : this.#references.resolve(ref, own);
      if (target !== undefined && 'value' in target && isNode(target.value) && this.#counts(step))
        found.push({ value: target.value, base: target.base });
      for (const [child, how] of childrenOf(schema.value)) waiting.push([{ value: child, base: own }, how]);
    }
    return found;
  }
}

function* childrenOf(node: SchemaNode): Generator<[unknown, Step]> {
  for (const child of listedChildren(node, 'allOf')) yield [child, 'part'];
  for (const keyword of ['anyOf', 'oneOf'])
    for (const child of listedChildren(node, keyword)) yield [child, 'choice'];
  for (const keyword of ['not', 'if', 'then', 'else']) yield [node[keyword], 'condition'];
  for (const [, child] of namedChildren(node, 'dependentSchemas')) yield [child, 'condition'];
}
