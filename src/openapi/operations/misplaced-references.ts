import { isNode } from '../../schema/nodes/json-node.ts';
import type { LoadedDocument } from '../document/load-document.ts';
import { listOf, memberOf, objectOf } from '../document/parse/read-values.ts';
import { refOf } from '../document/references.ts';
import type { References } from '../document/references.ts';
import type { JsonObject, Located } from '../model/operation.ts';
import { UnreadableOperation } from './reading-context.ts';
import type { ReadingContext } from './reading-context.ts';

/**
 * OpenAPI allows references to path items, parameters, bodies, responses, headers and schemas. Some documents also have them for an
 * operation, for `paths`, for a whole array of parameters or for `content`. These are followed, with a note in the report.
 */

type Following = Pick<ReadingContext, 'note' | 'references'>;

/** An object and the file of each of its members: members beside a reference are in another file than its target. */
export interface Holder {
  readonly value: JsonObject;
  readonly baseOf: (member: string) => string;
}

/** The target of a reference, with the members beside the reference, which win. */
export function withBeside(given: Located, found: Located<JsonObject>): Holder {
  const own = given.value === found.value ? {} : objectOf(given.value);
  const { $ref: _ref, ...beside } = own as Record<string, unknown>;
  return {
    value: Object.keys(beside).length === 0 ? found.value : { ...found.value, ...beside },
    baseOf: (member) => (Object.hasOwn(beside, member) ? given.base : found.base),
  };
}

const LISTS: ReadonlySet<string> = new Set(['parameters', 'security', 'servers', 'tags']);

/** A value, or the target of a reference that is not allowed there. */
export function followMisplaced(given: Located, what: string, { references, note }: Following): Located {
  if (refOf(given.value) === undefined) return given;
  const found = references.follow(given);
  if ('problem' in found) throw new UnreadableOperation(`${what} cannot be read: ${found.problem}`);
  const isWanted = LISTS.has(what) ? Array.isArray(found.value) : isNode(found.value);
  if (!isWanted)
    throw new UnreadableOperation(
      `${what} cannot be read: the target of the reference is not ${LISTS.has(what) ? 'an array' : 'an object'}`,
    );
  note(describe(what));
  return found;
}

function describe(what: string): string {
  return `${what}: a reference, which OpenAPI does not allow there; it is resolved`;
}

/** A member of an object, resolved with {@link followMisplaced}. */
export function memberAt(holder: Holder, member: string, context: Following): Located {
  const given = { value: memberOf(holder.value, member), base: holder.baseOf(member) };
  return followMisplaced(given, member, context);
}

/** Members that contain no references: their file does not matter. */
const PLAIN = ['security', 'servers', 'tags'] as const;

/** Resolves misplaced references in members that are only data. */
export function withPlainMembers(holder: Holder, context: Following): Holder {
  const found = PLAIN.flatMap((member): [string, unknown][] => {
    const given = memberOf(holder.value, member);
    if (!isReference(given) && !listOf(given).some(isReference)) return [];
    const { value, base } = memberAt(holder, member, context);
    const entries = listOf(value).map(
      (entry) => followMisplaced({ value: entry, base }, `an entry of ${member}`, context).value,
    );
    return [[member, entries]];
  });
  return found.length === 0
    ? holder
    : { ...holder, value: { ...holder.value, ...Object.fromEntries(found) } };
}

function isReference(value: unknown): boolean {
  return refOf(value) !== undefined;
}

/** A document with resolved data members, and notes about its references. */
export function settleDocument(document: LoadedDocument, references: References): LoadedDocument {
  const notes = new Set<string>();
  const context = { references, note: (text: string) => notes.add(text) };
  const { root, uri } = document;
  let value = root;
  try {
    value = withPlainMembers({ value: root, baseOf: () => uri }, context).value;
  } catch (error) {
    if (!(error instanceof UnreadableOperation)) throw error;
    notes.add(error.message);
  }
  const components = memberOf(root, 'components');
  const sections = isNode(components) ? Object.entries(components) : [];
  for (const [name, section] of [['components', components] as const, ...sections]) {
    if (!isReference(section)) continue;
    notes.add(describe(name === 'components' ? name : `components.${name}`));
  }
  return notes.size === 0 ? document : { ...document, root: value, notes: [...document.notes, ...notes] };
}
