import { isNode } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { IssueCounter } from '../../schema/view/count-issues.ts';
import { flagOf } from '../document/parse/read-values.ts';
import { refOf } from '../document/references.ts';
import type { Target } from '../document/references.ts';
import type { Located } from '../model/operation.ts';
import { hasClosedPart } from './closed-parts.ts';
import { convertKeywords } from './convert-keywords.ts';
import type {
  Conversion,
  Converted,
  Converter,
  ConverterParts,
  Definition,
  SchemaProblem,
} from './model/conversion.ts';
import { DefinitionNames } from './model/definition-names.ts';
import { isPlain } from './model/is-plain.ts';
import { LOOP } from './model/loop.ts';
import { withNull } from './model/nullable.ts';
import { withoutStrayDefault } from './model/stray-default.ts';
import { findLeaving } from './one-way.ts';
import { PatternJudge } from './model/pattern-judge.ts';
import { ReferenceLoops } from './model/reference-loops.ts';
import { schemaRefOf } from './model/schema-ref.ts';
import { isAlone, withSubtypes } from './subtypes.ts';

/** Maximum depth of a schema. */
const MAX_DEPTH = 100;
const MAX_LISTS = 16;
/** Maximum number of inlined schemas, so that entangled schemas cannot grow without end. */
const MAX_WRITTEN = 64;
/** Maximum nesting of inlined schemas. */
const MAX_WRITTEN_DEPTH = 8;
const MAX_PROBLEMS = 50;
const NONE: ReadonlySet<string> = new Set();
const NOTHING: ReadonlySet<object> = new Set();

/**
 * Converts schemas of a document to JSON Schema 2020-12. Targets of references become definitions under `$defs`, once, so that cycles are
 * preserved. Keywords that JSON Schema cannot express are left out with a note: a schema never becomes stricter than the document.
 */
export class SchemaConverter implements Converter {
  readonly parts: ConverterParts;
  readonly patterns: PatternJudge = new PatternJudge();
  /** Total size of the definitions of all tools, in characters. */
  spentChars = 0;
  readonly #definitions = new Map<string, Definition>();
  readonly #names = new DefinitionNames();
  /** Unions of subtypes, by base schema. */
  readonly #choices = new Map<string, Target>();
  readonly #converted = new WeakMap<object, { readonly base: string; readonly converted: Converted }>();
  readonly #loops: ReferenceLoops;
  readonly #loopsOfChoices: ReferenceLoops;

  constructor(parts: ConverterParts) {
    this.parts = parts;
    this.#loops = new ReferenceLoops(parts.references, { countsParts: true });
    this.#loopsOfChoices = new ReferenceLoops(parts.references, { countsParts: false });
  }

  /** Converts a stand-alone schema. Parameters and properties are shared by many operations and converted once. */
  convert(schema: Located, owner?: Target): Converted {
    const { value } = schema;
    if (owner !== undefined || !isNode(value)) return this.#convertAnew(schema, owner);
    const known = this.#converted.get(value);
    if (known?.base === schema.base) return known.converted;
    const converted = this.#convertAnew(schema, owner);
    this.#converted.set(value, { base: schema.base, converted });
    return converted;
  }

  #convertAnew({ value, base }: Located, owner: Target | undefined): Converted {
    const uses = new Set<Definition>();
    const problems = new Map<string, SchemaProblem>();
    const problem = (text: string, isFatal = false): void => {
      // The number of problems is limited, but fatal ones are always kept.
      if (!problems.has(text) && (isFatal || problems.size < MAX_PROBLEMS))
        problems.set(text, { text, isFatal });
    };
    const node = this.convertNode(value, {
      base,
      depth: 0,
      lists: 0,
      dropped: NONE,
      owner,
      step: 'part',
      written: NOTHING,
      isWrittenPart: false,
      isOpened: false,
      room: { left: MAX_WRITTEN },
      uses,
      problem,
    });
    return { node: node === LOOP ? {} : node, uses, problems: [...problems.values()] };
  }

  /** Converts a schema within another one. {@link LOOP}: it would refer back to itself. */
  convertNode(value: unknown, at: Conversion): unknown {
    if (typeof value === 'boolean') return value;
    if (!isNode(value)) {
      at.problem('a schema is not an object; any value is accepted there');
      return {};
    }
    if (at.depth > MAX_DEPTH || at.lists > MAX_LISTS) {
      const levels = at.depth > MAX_DEPTH ? `${MAX_DEPTH} levels` : `${MAX_LISTS} unions`;
      at.problem(`a schema is nested deeper than ${levels}; any value is accepted below`);
      return {};
    }
    const base = this.parts.references.baseWithin(value, at.base);
    const here = { ...at, base, depth: at.depth + 1 };
    const ref = schemaRefOf(value);
    return ref === undefined ? convertKeywords(value, this, here) : this.#convertRef(ref, value, here);
  }

  /** Converts a definition. */
  convertDefinition(definition: Definition): Converted {
    definition.converted ??= this.convert(definition.target, definition.target);
    return definition.converted;
  }

  /** All definitions that a schema refers to, directly or indirectly. */
  closureOf(uses: Iterable<Definition>): ReadonlySet<Definition> {
    const closure = new Set(uses);
    // The set grows during the iteration.
    for (const definition of closure) {
      for (const used of this.convertDefinition(definition).uses) closure.add(used);
    }
    return closure;
  }

  /** Whether a converted schema accepts a value; patterns are not checked. */
  accepts({ node, uses }: Converted, value: unknown): boolean {
    let known: ReadonlyMap<string, unknown> | undefined;
    const resolve = (ref: string): unknown => {
      known ??= new Map(
        [...this.closureOf(uses)].map((each) => [`#/$defs/${each.name}`, this.convertDefinition(each).node]),
      );
      return known.get(ref);
    };
    const document = { resolve, matches: () => true, takesDigits: true, hasForbiddenKey: () => false };
    return new IssueCounter(document, { limit: 1 }).count(node, { value }) === 0;
  }

  #convertRef(ref: string, value: SchemaNode, at: Conversion): unknown {
    const { annotations, isNullable } = this.#convertBeside(value, at);
    const target = this.#find(ref, value, at);
    const node = target === undefined ? {} : this.#convertTarget(this.#withChoices(target, value, at), at);
    if (node === LOOP) return LOOP;
    const isNothing = node === false && Object.keys(annotations).length === 0 && !isNullable;
    if (isNothing) return false;
    const described = { ...(isNode(node) ? node : node === false ? { not: {} } : {}), ...annotations };
    return withoutStrayDefault(isNullable ? withNull(described) : described, at);
  }

  #find(ref: string, value: SchemaNode, at: Conversion): Target | undefined {
    const { references } = this.parts;
    if (refOf(value) === undefined && references.isAmbiguous(ref)) {
      at.problem(
        `the target of ${JSON.stringify(ref)} depends on the referring schema; any value is accepted there`,
      );
      return undefined;
    }
    const target = references.resolve(ref, at.base);
    if (!('problem' in target)) return target;
    if (target.isOutside) at.problem(`a schema cannot be read: ${target.problem}`, true);
    else at.problem(`a schema has an unresolved reference: ${target.problem}; any value is accepted there`);
    return undefined;
  }

  /** In a request, a base of subtypes becomes a union of them: one definition that refers to each. */
  #withChoices(target: Target, reference: SchemaNode, at: Conversion): Target {
    if (this.parts.direction !== 'request' || at.owner !== undefined || isAlone(reference)) return target;
    let choices = this.#choices.get(target.id);
    if (choices === undefined) {
      const found = withSubtypes({ value: { $ref: target.id }, base: target.base }, this.parts);
      choices = found === undefined ? target : { ...found, id: `${target.id}\u0000any` };
      this.#choices.set(target.id, choices);
    }
    return choices;
  }

  #convertTarget(target: Target, at: Conversion): unknown {
    const { value, base } = target;
    if (!isNode(value) || isPlain(value)) return this.convertNode(value, { ...at, base });
    if (at.isOpened && hasClosedPart(target, this.parts)) return this.#writeOut(value, base, at);
    if (at.owner === undefined) return this.#refTo(target, at);
    const isPart = at.step === 'part';
    const loops = isPart || at.isWrittenPart ? this.#loops : this.#loopsOfChoices;
    if (!loops.areEntwined(at.owner, target)) return this.#refTo(target, at);
    if (!isPart && (at.step === 'condition' || at.isWrittenPart)) return LOOP;
    return this.#writeOut(value, base, at);
  }

  /**
   * A part that has its owner among its alternatives is reduced to its other keywords; an alternative that refers back adds its other
   * alternatives.
   */
  #writeOut(value: SchemaNode, base: string, at: Conversion): unknown {
    const isPart = at.step === 'part';
    if (value === at.owner?.value || at.written.has(value)) {
      if (!isPart) return LOOP;
      at.problem('a schema is a part of itself (allOf), which adds nothing; it is left out there');
      return {};
    }
    if (at.room.left === 0 || at.written.size >= MAX_WRITTEN_DEPTH) {
      at.problem('schemas refer to each other in an endless cycle; any value is accepted there');
      return {};
    }
    at.room.left -= 1;
    const written = new Set([...at.written, value]);
    return this.convertNode(value, { ...at, base, written, isWrittenPart: isPart || at.isWrittenPart });
  }

  /** Before 3.1, members beside a reference are ignored; annotations are kept anyway, because people write them to be read. */
  #convertBeside(
    value: SchemaNode,
    at: Conversion,
  ): { readonly annotations: SchemaNode; readonly isNullable: boolean } {
    const { $ref: _ref, $dynamicRef: _dynamic, $recursiveRef: _recursive, ...beside } = value;
    if (Object.keys(beside).length === 0) return { annotations: {}, isNullable: false };
    const { version } = this.parts;
    const counts = version === '3.1' || version === '3.2';
    const isKept = (key: string): boolean =>
      key !== 'nullable' && key !== 'x-nullable' && (counts || ANNOTATIONS.has(key));
    const said = Object.fromEntries(Object.entries(beside).filter(([key]) => isKept(key)));
    const leaving = findLeaving({ value, base: at.base }, this.parts);
    const dropped = leaving.size === 0 ? at.dropped : new Set([...at.dropped, ...leaving]);
    return {
      annotations: convertKeywords(said, this, { ...at, dropped }),
      isNullable: flagOf(beside['nullable']) || flagOf(beside['x-nullable']),
    };
  }

  #refTo(target: Target, at: Conversion): { readonly $ref: string } {
    let definition = this.#definitions.get(target.id);
    if (definition === undefined) {
      definition = { name: this.#names.take(target.id), target, converted: undefined };
      this.#definitions.set(target.id, definition);
    }
    at.uses.add(definition);
    return { $ref: `#/$defs/${definition.name}` };
  }
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  'description',
  'title',
  'default',
  'deprecated',
  'example',
]);
