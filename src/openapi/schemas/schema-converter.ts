import { isNode } from '../../schema/json-node.ts';
import type { SchemaNode } from '../../schema/json-node.ts';
import type { LoadedDocument } from '../document/load-document.ts';
import { refOf } from '../document/references.ts';
import type { References, Target } from '../document/references.ts';
import type { Located } from '../operation.ts';
import { convertKeywords } from './convert-keywords.ts';
import { isPlain } from './is-plain.ts';
import { withNull } from './nullable.ts';

/** Whether a schema describes what is sent or what comes back. */
export type Direction = 'request' | 'response';

/** What is to be said of a schema. Fatal: whoever needs it cannot be called. */
export interface SchemaProblem {
  readonly text: string;
  readonly isFatal: boolean;
}

/** A schema of the document that others refer to, converted once for all tools. */
export interface Definition {
  readonly name: string;
  readonly target: Target;
  converted: Converted | undefined;
}

/** A converted schema, the definitions it refers to by itself, and its problems. */
export interface Converted {
  readonly node: unknown;
  readonly uses: ReadonlySet<Definition>;
  readonly problems: readonly SchemaProblem[];
}

/** Where a conversion stands. */
export interface Conversion {
  readonly base: string;
  readonly depth: number;
  /** Properties that leave the object, because they only go the other way: nobody may ask for them. */
  readonly dropped: ReadonlySet<string>;
  readonly uses: Set<Definition>;
  readonly problem: (text: string, isFatal?: boolean) => void;
}

/** What a converter works on. */
export interface ConverterParts {
  readonly references: References;
  readonly version: LoadedDocument['version'];
  readonly direction: Direction;
  /** Cleans and shortens a description. */
  readonly describe: (text: string) => string;
}

/** Deeper than any schema that people write. */
const MAX_DEPTH = 100;
const NONE: ReadonlySet<string> = new Set();

/**
 * Turns schemas of a document into JSON Schema 2020-12. What is referred to becomes a definition under `$defs`, once, so that cycles stay
 * what they are. What cannot be said in JSON Schema is left out with a note: a schema never becomes stricter than the document.
 */
export class SchemaConverter {
  readonly parts: ConverterParts;
  readonly #definitions = new Map<string, Definition>();
  readonly #names = new Set<string>();

  constructor(parts: ConverterParts) {
    this.parts = parts;
  }

  /** Converts a schema that stands by itself. */
  convert({ value, base }: Located): Converted {
    const uses = new Set<Definition>();
    const problems: SchemaProblem[] = [];
    const problem = (text: string, isFatal = false): void => {
      if (!problems.some((known) => known.text === text)) problems.push({ text, isFatal });
    };
    const node = this.convertNode(value, { base, depth: 0, dropped: NONE, uses, problem });
    return { node, uses, problems };
  }

  /** Converts a schema within another one. */
  convertNode(value: unknown, at: Conversion): unknown {
    if (typeof value === 'boolean') return value;
    if (!isNode(value)) {
      at.problem('a schema is no object; any value is taken there');
      return {};
    }
    if (at.depth > MAX_DEPTH) {
      at.problem(`a schema is nested deeper than ${MAX_DEPTH} levels; any value is taken below`);
      return {};
    }
    const ref = refOf(value) ?? dynamicRefOf(value);
    return ref === undefined
      ? convertKeywords(value, this, { ...at, depth: at.depth + 1 })
      : this.#convertRef(ref, value, at);
  }

  /** A definition, converted. */
  convertDefinition(definition: Definition): Converted {
    definition.converted ??= this.convert(definition.target);
    return definition.converted;
  }

  /** Everything that a schema refers to, directly or not. */
  closureOf(uses: Iterable<Definition>): ReadonlySet<Definition> {
    const closure = new Set(uses);
    // The set grows while it is walked.
    for (const definition of closure) {
      for (const used of this.convertDefinition(definition).uses) closure.add(used);
    }
    return closure;
  }

  #convertRef(ref: string, value: SchemaNode, at: Conversion): unknown {
    const target = this.parts.references.resolve(ref, at.base);
    if ('problem' in target) {
      if (target.isOutside) at.problem(`a schema cannot be read: ${target.problem}`, true);
      else
        at.problem(
          `a schema refers to something that is not there: ${target.problem}; any value is taken there`,
        );
      return {};
    }
    const beside = this.#convertBeside(value, at);
    const { nullable, ...annotations } = beside;
    const node = isPlain(target.value)
      ? {
          ...(this.convertNode(target.value, { ...at, base: target.base, depth: at.depth + 1 }) as object),
          ...annotations,
        }
      : { ...this.#refTo(target, at), ...annotations };
    return nullable === true ? withNull(node) : node;
  }

  /** Before 3.1, members beside a reference do not count; what only describes is kept all the same, because people write it to be read. */
  #convertBeside(value: SchemaNode, at: Conversion): Readonly<Record<string, unknown>> {
    const { $ref: _ref, $dynamicRef: _dynamic, ...beside } = value as Record<string, unknown>;
    const keys = Object.keys(beside);
    if (keys.length === 0) return beside;
    const { version } = this.parts;
    const counts = version === '3.1' || version === '3.2';
    const kept = counts
      ? beside
      : Object.fromEntries(Object.entries(beside).filter(([key]) => ANNOTATIONS.has(key)));
    const isNullable = beside['nullable'] === true || beside['x-nullable'] === true;
    const { nullable: _nullable, 'x-nullable': _x, ...said } = kept;
    const converted = convertKeywords(said, this, { ...at, depth: at.depth + 1 }) as Record<string, unknown>;
    return isNullable ? { ...converted, nullable: true } : converted;
  }

  #refTo(target: Target, at: Conversion): { readonly $ref: string } {
    let definition = this.#definitions.get(target.id);
    if (definition === undefined) {
      definition = { name: this.#nameOf(target.id), target, converted: undefined };
      this.#definitions.set(target.id, definition);
    }
    at.uses.add(definition);
    return { $ref: `#/$defs/${definition.name}` };
  }

  #nameOf(id: string): string {
    const last = id.slice(Math.max(id.lastIndexOf('/'), id.lastIndexOf('#')) + 1);
    const wanted = last.replaceAll(/%[0-9A-Fa-f]{2}|~[01]|[^A-Za-z0-9_.-]/g, '_') || 'schema';
    let name = wanted;
    for (let count = 2; this.#names.has(name); count += 1) name = `${wanted}_${count}`;
    this.#names.add(name);
    return name;
  }
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  'description',
  'title',
  'default',
  'deprecated',
  'example',
]);

/** In one document without embedded others, a dynamic reference is a plain one. */
function dynamicRefOf(value: SchemaNode): string | undefined {
  const { $dynamicRef, $recursiveRef } = value as { $dynamicRef?: unknown; $recursiveRef?: unknown };
  const ref = $dynamicRef ?? $recursiveRef;
  return typeof ref === 'string' ? ref : undefined;
}
