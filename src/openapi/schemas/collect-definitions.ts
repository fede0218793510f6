import { SchemaError } from '../../errors/errors.ts';
import { assertServable, MAX_PARTS } from '../../schema/view/check-json-schema.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { isCrowded } from './count-parts.ts';
import { countWithinDepth } from './model/reference-depth.ts';
import type { SchemaConverter } from './schema-converter.ts';
import type { Definition, SchemaProblem } from './model/conversion.ts';

/** The definitions of one tool, and notes about them. */
export interface CollectedDefinitions {
  /** Undefined if there are none. */
  readonly $defs: SchemaNode | undefined;
  readonly problems: readonly SchemaProblem[];
}

/** Total size of definitions, in characters, above which tools get fewer. */
const MAX_TOTAL_CHARS = 16_000_000;
const SMALL_CHARS = 2000;
/**
 * The converter removes schemas that refer back to themselves. This checks again, but only near definitions: checking all from everywhere
 * would take too long.
 */
const NEAR_CHARS = 4000;

/** Caches: tools share definitions. */
const sizes = new WeakMap<Definition, number>();
const faults = new WeakMap<Definition, { readonly reason: string | undefined }>();

/**
 * The definitions that a schema refers to, nearest first, as far as they fit. In some documents everything refers to everything, and each
 * tool would contain all of it: far definitions are replaced by stubs that accept any value.
 */
export function collectDefinitions(
  converter: SchemaConverter,
  uses: Iterable<Definition>,
  maxChars: number,
): CollectedDefinitions {
  const first = new Set(uses);
  if (first.size === 0) return NOTHING;
  // A fully connected document must not be repeated in each of its tools.
  const room = converter.spentChars < MAX_TOTAL_CHARS ? maxChars : Math.min(maxChars, SMALL_CHARS);
  let ofConverter = collections.get(converter);
  if (ofConverter === undefined) collections.set(converter, (ofConverter = new Map()));
  const key = `${room} ${[...first].map(({ name }) => name).join(' ')}`;
  let collection = ofConverter.get(key);
  if (collection === undefined) ofConverter.set(key, (collection = collect(converter, first, room)));
  converter.spentChars += collection.chars;
  return collection;
}

const NOTHING: CollectedDefinitions = { $defs: undefined, problems: [] };

interface Collection extends CollectedDefinitions {
  readonly chars: number;
}

/** Cache by the references of the arguments: operations with the same arguments share all definitions. */
const collections = new WeakMap<SchemaConverter, Map<string, Collection>>();

function collect(converter: SchemaConverter, first: ReadonlySet<Definition>, room: number): Collection {
  const problems: SchemaProblem[] = [...first].flatMap((definition) => findFault(definition, converter));
  const { kept, open, crowded, chars } = fit(converter, first, room);
  const all = [...kept].map((each) => ({ name: each.name, node: converter.convertDefinition(each).node }));
  const near = new Set([...kept].slice(0, countWithinDepth(all)));
  const needed = new Set([
    ...first,
    ...[...near].flatMap((each) => [...converter.convertDefinition(each).uses]),
  ]);
  const definitions = all.slice(0, near.size).map(({ name, node }): [string, unknown] => [name, node]);
  const stubs = [...needed]
    .filter((each) => !near.has(each))
    .map(({ name }): [string, unknown] => [name, { description: `A ${name}; any value is accepted` }]);
  for (const definition of near) problems.push(...converter.convertDefinition(definition).problems);
  for (const { name } of crowded) {
    const text = `the schema ${name} describes one value by more than ${MAX_PARTS} parts and alternatives; any value is accepted there`;
    problems.push({ text, isFatal: false });
  }
  const far = stubs.length - [...crowded].filter((each) => needed.has(each)).length;
  if (far > 0) {
    const why =
      open.size > crowded.size ? `is longer than ${room} characters` : 'has too long chains of references';
    const text = `its schema ${why}; ${far} definitions that are far from its arguments accept any value`;
    problems.push({ text, isFatal: false });
  }
  return { $defs: Object.fromEntries([...definitions, ...stubs]), problems, chars };
}

interface Fitting {
  readonly kept: ReadonlySet<Definition>;
  readonly open: ReadonlySet<Definition>;
  /** Definitions that have too many parts to validate a value with. */
  readonly crowded: ReadonlySet<Definition>;
  /** Size of the kept definitions, in characters. */
  readonly chars: number;
}

function fit(converter: SchemaConverter, first: ReadonlySet<Definition>, maxChars: number): Fitting {
  const kept = new Set<Definition>();
  const open = new Set<Definition>();
  const crowded = new Set<Definition>();
  const waiting = new Set(first);
  let chars = 0;
  // The set grows during the iteration.
  for (const definition of waiting) {
    const { uses } = converter.convertDefinition(definition);
    const size = sizeOf(definition, converter);
    if (isCrowded(definition, converter)) {
      open.add(definition);
      crowded.add(definition);
    }
    // Definitions that the arguments refer to directly are always kept.
    else if (chars + size > maxChars && !first.has(definition)) open.add(definition);
    else {
      chars += size;
      kept.add(definition);
      for (const used of uses) waiting.add(used);
    }
  }
  return { kept, open, crowded, chars };
}

function sizeOf(definition: Definition, converter: SchemaConverter): number {
  let size = sizes.get(definition);
  if (size === undefined) {
    size = JSON.stringify(converter.convertDefinition(definition).node).length;
    sizes.set(definition, size);
  }
  return size;
}

/** A definition that no validator could use makes every tool that refers to it fail. Cached. */
function findFault(definition: Definition, converter: SchemaConverter): SchemaProblem[] {
  let fault = faults.get(definition);
  if (fault === undefined) {
    fault = { reason: judge(definition, converter) };
    faults.set(definition, fault);
  }
  return fault.reason === undefined ? [] : [{ text: fault.reason, isFatal: true }];
}

function judge(definition: Definition, converter: SchemaConverter): string | undefined {
  const { kept, open } = fit(converter, new Set([definition]), NEAR_CHARS);
  const $defs = Object.fromEntries([
    ...[...kept].map((each) => [each.name, converter.convertDefinition(each).node]),
    ...[...open].map((each) => [each.name, {}]),
  ]) as SchemaNode;
  try {
    assertServable({ $ref: `#/$defs/${definition.name}`, $defs }, `the schema ${definition.name}`);
    return undefined;
  } catch (error) {
    if (error instanceof SchemaError) return error.message;
    throw error;
  }
}
