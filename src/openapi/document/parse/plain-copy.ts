import { DefinitionError, ToolwrightError } from '../../../errors/errors.ts';
import type { TreeLimits } from './document-limits.ts';
import { measureTree } from './measure-document.ts';
import type { ParsedDocument } from './parse-document.ts';

/**
 * A document that somebody holds as an object, as JSON would carry it: detached, so that nothing done to the one changes the other. What
 * is shared in the one is shared in the other.
 */
export function copyDocument(name: string, given: unknown, limits: TreeLimits): ParsedDocument {
  try {
    const { nodes } = measureTree(name, given, limits);
    return { value: copy(given, { name, known: new Map() }), nodes, notes: [] };
  } catch (error) {
    if (error instanceof ToolwrightError) throw error;
    throw new DefinitionError(`${name} has members that cannot be read.`, { cause: error });
  }
}

interface Copying {
  readonly name: string;
  readonly known: Map<object, unknown>;
}

function copy(value: unknown, copying: Copying): unknown {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol')
    throw new DefinitionError(`${copying.name} has a ${typeof value} in it, which no document can have.`);
  if (typeof value !== 'object' || value === null) return value;
  const known = copying.known.get(value);
  if (known !== undefined) return known;
  const made = copyContainer(value, copying);
  copying.known.set(value, made);
  return made;
}

function copyContainer(value: object, copying: Copying): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => copy(entry ?? null, copying));
  // Dates, mostly: some readers of YAML make them of what looks like one.
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') {
    const written: unknown = (toJSON as () => unknown).call(value);
    // Anything more than that was not counted.
    if (typeof written === 'object' && written !== null)
      throw new DefinitionError(`${copying.name} has an object in it that is not plain data.`);
    return copy(written ?? null, copying);
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[key, copy(member, copying)]],
    ),
  );
}
