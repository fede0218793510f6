import type { JsonObject } from '../model/operation.ts';
import { mergeOverrides } from './operation-override.ts';
import type { OperationOverride } from './operation-override.ts';
import {
  MAX_NOTES,
  OVERRIDE_MEMBERS,
  describeStranger,
  readOverride,
  readOverrideMember,
} from './read-override.ts';
import type { ReadOverride } from './read-override.ts';

/** Names of extensions, and the members of an override they set: `x-mcp-timeout-ms` sets `timeoutMs`. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map(
  OVERRIDE_MEMBERS.map((member) => [
    `x-mcp-${member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    member,
  ]),
);
/** Members that identify one operation; not allowed at the root of a document. */
const OF_ONE_OPERATION: ReadonlySet<string> = new Set(['name', 'title', 'description']);

/**
 * Reads the `x-mcp` extensions of an operation. `x-mcp` is `false` (hidden), `true` (not hidden) or an object with
 * any members; `x-mcp-name` and so on set one member each, and win over the object. Values of the wrong type are
 * ignored with a note.
 */
export function readExtensions(extensions: JsonObject): ReadOverride {
  if (Object.keys(extensions).length === 0) return NOTHING;
  const whole = Object.hasOwn(extensions, 'x-mcp') ? readWhole(extensions['x-mcp']) : NOTHING;
  const parts: OperationOverride[] = [];
  const notes = [...whole.notes];
  for (const [key, value] of Object.entries(extensions)) {
    if (!key.startsWith('x-mcp-')) continue;
    const member = EXTENSIONS.get(key);
    if (member === undefined) {
      if (notes.length < MAX_NOTES) notes.push(describeStranger(key, key, [...EXTENSIONS.keys()]));
    } else {
      const read = readOverrideMember(member, value, key);
      parts.push(read.override);
      notes.push(...read.notes);
    }
  }
  return { override: mergeOverrides(whole.override, ...parts), notes };
}

/**
 * Reads the extensions at the root of a document, which apply to all operations. Names and descriptions are ignored
 * there.
 */
export function readRootExtensions(extensions: JsonObject): ReadOverride {
  const { override, notes } = readExtensions(extensions);
  const kept: [string, unknown][] = [];
  const refused: string[] = [];
  for (const [member, value] of Object.entries(override)) {
    if (OF_ONE_OPERATION.has(member))
      refused.push(`"x-mcp-${member}" of the whole document is ignored: it is for one operation.`);
    else kept.push([member, value]);
  }
  return { override: Object.fromEntries(kept), notes: [...notes, ...refused] };
}

const NOTHING: ReadOverride = { override: {}, notes: [] };

function readWhole(value: unknown): ReadOverride {
  if (typeof value === 'boolean') return { override: { hidden: !value }, notes: [] };
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return readOverride(value, 'x-mcp');
  return { override: {}, notes: ['"x-mcp" must be true, false or an object; it is ignored.'] };
}
