import { isObject } from '../../base/is-object.ts';
import { didYouMean } from '../../errors/nearest-names.ts';
import { SCOPES } from '../../errors/options/rules.ts';
import { cleanText, removeHidden } from '../naming/clean-text.ts';
import { cutText } from '../naming/cut-text.ts';
import type { ArgumentOverride, OperationKind, OperationOverride } from './operation-override.ts';

/** An override, and notes about ignored parts. */
export interface ReadOverride {
  readonly override: OperationOverride;
  /** One sentence for each ignored part. */
  readonly notes: readonly string[];
}

/** Returns the valid value, or undefined. */
interface Reader {
  readonly expected: string;
  /** An invalid value hides the operation. Others are ignored. */
  readonly hides?: true;
  readonly read: (value: unknown, notes: Notes) => unknown;
}

/** The current position in the document, and the notes so far. */
interface Notes {
  readonly where: string;
  readonly list: string[];
}

const KINDS: readonly OperationKind[] = ['tool', 'resource', 'resource-template', 'none'];

const flag: Reader = {
  expected: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};
const word: Reader = {
  expected: 'a non-empty string',
  read: (value) => (typeof value === 'string' ? removeHidden(value).trim() || undefined : undefined),
};
const prose: Reader = {
  expected: 'a non-empty string',
  read: (value) => (typeof value === 'string' ? cleanText(value) || undefined : undefined),
};
const words: Reader = {
  expected: 'an array of strings',
  read: (value) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string')
      ? value.map((each) => removeHidden(each).trim())
      : undefined,
};
/** Without its scopes, every caller could call the operation. */
const scopes: Reader = {
  expected: 'an array of scopes',
  hides: true,
  read: (value) => (SCOPES[0](value) ? value : undefined),
};
const count: Reader = {
  expected: 'an integer of at least 1',
  read: (value) => (Number.isSafeInteger(value) && Number(value) > 0 ? value : undefined),
};
const anything: Reader = { expected: 'a value', read: (value) => value };

function oneOf(choices: readonly string[]): Reader {
  return {
    expected: choices.map((choice) => `"${choice}"`).join(' or '),
    read: (value) => (choices.includes(value as string) ? value : undefined),
  };
}

/** An object whose invalid members are left out one by one. */
function members(readers: Readonly<Record<string, Reader>>): Reader {
  return {
    expected: 'an object',
    read: (value, notes) => (isObject(value) ? readMembers(value, readers, notes) : undefined),
  };
}

const ARGUMENT: Readonly<Record<keyof ArgumentOverride, Reader>> = {
  name: word,
  description: prose,
  hidden: flag,
  default: anything,
  fixed: anything,
  secret: flag,
  required: flag,
  allowSlashes: flag,
};

const argumentsByName: Reader = {
  expected: 'an object with a member for each argument',
  read: (value, notes) => {
    if (!isObject(value)) return undefined;
    const argument = members(ARGUMENT);
    const found: [string, unknown][] = [];
    for (const [key, given] of Object.entries(value)) {
      const read = readValue(given, argument, { ...notes, where: `${notes.where}.${key}` });
      if (read !== undefined) found.push([key, read]);
    }
    return Object.fromEntries(found);
  },
};

const selection: Reader = {
  expected: 'a string or an array of strings',
  read: (value, notes) => (typeof value === 'string' ? value : words.read(value, notes)),
};

/** `enabled` is the opposite of `hidden`. */
const OVERRIDE: Readonly<Record<keyof OperationOverride | 'enabled', Reader>> = {
  name: word,
  title: prose,
  description: prose,
  hidden: flag,
  enabled: flag,
  tags: words,
  category: word,
  annotations: members({
    title: prose,
    readOnlyHint: flag,
    destructiveHint: flag,
    idempotentHint: flag,
    openWorldHint: flag,
    returnDirect: flag,
  }),
  scopes,
  missingScopes: oneOf(['hide', 'challenge']),
  kind: oneOf(KINDS),
  timeoutMs: count,
  confirm: oneOf(['preview']),
  arguments: argumentsByName,
  response: members({ select: selection, maxChars: count }),
};

/** Members of an override in a file. */
export const OVERRIDE_MEMBERS: readonly string[] = Object.keys(OVERRIDE);

/** Reads an override from a file; `where` is its name there. Invalid parts are left out with a note. */
export function readOverride(value: unknown, where: string): ReadOverride {
  const notes: Notes = { where, list: [] };
  const read = readValue(value, members(OVERRIDE), notes) ?? {};
  return { override: withHidden(read), notes: notes.list };
}

/** Reads one member of an override; `where` is its name. */
export function readOverrideMember(member: string, value: unknown, where: string): ReadOverride {
  const notes: Notes = { where, list: [] };
  const reader: Reader = Object.hasOwn(OVERRIDE, member)
    ? OVERRIDE[member as keyof typeof OVERRIDE]
    : { expected: 'something else', read: () => undefined };
  const read = readValue(value, reader, notes);
  return {
    override: withHidden(Object.fromEntries(toEntries(member, read, reader))),
    notes: notes.list,
  };
}

function withHidden({ enabled, ...rest }: OperationOverride & { enabled?: boolean }): OperationOverride {
  return enabled === undefined || rest.hidden !== undefined ? rest : { ...rest, hidden: !enabled };
}

function readValue(value: unknown, reader: Reader, notes: Notes): unknown {
  const read = reader.read(value, notes);
  const fate = reader.hides ? 'the operation is hidden' : 'it is ignored';
  if (read === undefined) addNote(notes, `${quote(notes.where)} must be ${reader.expected}; ${fate}.`);
  return read;
}

/** The member of an override that a value sets: none if it is ignored. */
function toEntries(key: string, read: unknown, { hides }: Reader): [string, unknown][] {
  if (read !== undefined) return [[key, read]];
  return hides ? [['hidden', true]] : [];
}

function readMembers(
  value: object,
  readers: Readonly<Record<string, Reader>>,
  notes: Notes,
): Readonly<Record<string, unknown>> {
  const found: [string, unknown][] = [];
  for (const [key, given] of Object.entries(value)) {
    const reader = Object.hasOwn(readers, key) ? readers[key] : undefined;
    const inside = { ...notes, where: `${notes.where}.${key}` };
    if (reader === undefined) addNote(notes, describeStranger(inside.where, key, Object.keys(readers)));
    else found.push(...toEntries(key, readValue(given, reader, inside), reader));
  }
  return Object.fromEntries(found);
}

/** Note about an unknown member. */
export function describeStranger(where: string, key: string, known: readonly string[]): string {
  return `Unknown option ${quote(where)}; it is ignored.${didYouMean(key, known)} Options: ${known.join(', ')}.`;
}

/** Maximum number of notes: a document could cause any number. */
export const MAX_NOTES = 20;

function addNote({ list }: Notes, note: string): void {
  if (list.length < MAX_NOTES) list.push(note);
}

/** Quotes a key of the document, which can be any string. */
function quote(where: string): string {
  return `"${cutText(removeHidden(where), 100)}"`;
}
