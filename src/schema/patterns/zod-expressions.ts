import { isNode } from '../json-node.ts';

/** A schema this large is not written by hand. */
const MAX_VISITED = 20_000;

/**
 * The regular expressions that a Zod schema runs. Its JSON Schema does not tell all of them: flags are lost there, and what stands behind
 * a transformation.
 */
export function findZodExpressions(schema: unknown): RegExp[] {
  const found: RegExp[] = [];
  const seen = new Set<unknown>();
  const open: unknown[] = [schema];
  for (const current of open) {
    if (seen.size > MAX_VISITED || seen.has(current)) continue;
    seen.add(current);
    const internals = (current as { readonly _zod?: unknown } | null | undefined)?._zod;
    const def = isNode(internals) ? internals['def'] : undefined;
    if (!isNode(def)) continue;
    for (const expression of [def['pattern'], def['hostname'], def['protocol']])
      if (expression instanceof RegExp) found.push(expression);
    for (const key of SINGLE) if (def[key] !== undefined) open.push(def[key]);
    for (const key of LISTS) if (Array.isArray(def[key])) open.push(...(def[key] as unknown[]));
    if (isNode(def['shape'])) open.push(...Object.values(def['shape']));
    if (def['type'] === 'lazy') open.push(readLazy(internals));
  }
  return found;
}

/** Members of a definition that hold one schema, and those that hold several schemas or checks. */
const SINGLE = [
  'innerType',
  'element',
  'in',
  'out',
  'left',
  'right',
  'keyType',
  'valueType',
  'catchall',
  'rest',
];
const LISTS = ['checks', 'options', 'items', 'parts'];

function readLazy(internals: unknown): unknown {
  try {
    return (internals as { readonly innerType?: unknown }).innerType;
  } catch {
    // A getter of the author's that cannot answer yet.
    return undefined;
  }
}
