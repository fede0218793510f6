import { DefinitionError, ToolwrightError } from '../../../errors/errors.ts';
import type { TreeLimits } from './document-limits.ts';
import { measureTree } from './measure-document.ts';
import type { ParsedDocument } from './parse-document.ts';

/**
 * Copies a document that was passed as an object to plain JSON, so that later changes of one do not affect the
 * other. Shared objects stay shared.
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
    throw new DefinitionError(`${copying.name} contains a ${typeof value}, which JSON cannot represent.`);
  if (typeof value !== 'object' || value === null) return value;
  const known = copying.known.get(value);
  if (known !== undefined) return known;
  const made = copyContainer(value, copying);
  copying.known.set(value, made);
  return made;
}

function copyContainer(value: object, copying: Copying): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => copy(entry ?? null, copying));
  // Mostly dates: some YAML parsers create them.
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') {
    const written: unknown = (toJSON as () => unknown).call(value);
    // Objects returned by toJSON were not measured.
    if (typeof written === 'object' && written !== null)
      throw new DefinitionError(`${copying.name} contains an object that is not plain data.`);
    return copy(written ?? null, copying);
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[key, copy(member, copying)]],
    ),
  );
}
