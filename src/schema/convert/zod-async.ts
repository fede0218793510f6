import { isNode } from '../nodes/json-node.ts';

/** A walk this long is a schema nobody writes by hand; it is then taken for asynchronous, which is right for every schema. */
const MAX_VISITED = 20_000;
/** Members of a definition that hold data or make it anew when read, never a schema or a check. */
const DATA_KEYS: ReadonlySet<string> = new Set(['defaultValue', 'entries', 'values', 'error', 'when']);

/**
 * Whether a Zod schema may answer later: it contains an `async` function, or one that cannot be looked at, because Zod wraps it
 * (`superRefine`, `codec`).
 *
 * A function that returns a promise without being `async` is not recognised; it is only known after its first call.
 */
export function mayBeAsyncZod(schema: unknown): boolean {
  const seen = new Set<object>();
  const open: unknown[] = [schema];
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    open.push(value);
  };
  try {
    while (open.length > 0) {
      if (seen.size > MAX_VISITED) return true;
      const current = open.pop();
      const internals = zodInternals(current);
      if (internals === undefined) {
        // A shape, a list of options or of checks.
        for (const member of Object.values(current as object)) add(member);
        continue;
      }
      if (answersLater(internals)) return true;
      for (const [key, member] of Object.entries(internals.def)) if (!DATA_KEYS.has(key)) add(member);
      if (internals.def['type'] === 'lazy') add(internals.innerType);
    }
    return false;
  } catch {
    // A getter of the author's that cannot answer yet.
    return true;
  }
}

interface ZodInternals {
  readonly def: Readonly<Record<string, unknown>>;
  readonly check?: unknown;
  readonly innerType?: unknown;
}

function zodInternals(value: unknown): ZodInternals | undefined {
  const internals = isNode(value) ? value['_zod'] : undefined;
  return isNode(internals) && isNode(internals['def']) ? (internals as unknown as ZodInternals) : undefined;
}

function answersLater({ def, check }: ZodInternals): boolean {
  if (def['type'] === 'promise' || def['reverseTransform'] !== undefined) return true;
  // What `superRefine` makes is a custom check without the function in its definition.
  if (def['check'] === 'custom' && def['fn'] === undefined && typeof check === 'function') return true;
  return isAsyncFunction(def['fn']) || isAsyncFunction(def['transform']);
}

function isAsyncFunction(value: unknown): boolean {
  return typeof value === 'function' && value.constructor.name === 'AsyncFunction';
}
