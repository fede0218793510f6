import { someZod } from '../expressions/zod-expressions.ts';
import type { ZodInternals } from '../expressions/zod-expressions.ts';

/**
 * Whether a Zod schema may be asynchronous: it contains an `async` function, or one that cannot be inspected, because Zod wraps it
 * (`superRefine`, `codec`). A schema that cannot be inspected counts as asynchronous, which is correct for every schema.
 *
 * A function that returns a promise without being `async` is only recognized after its first call.
 */
export function mayBeAsyncZod(schema: unknown): boolean {
  return someZod(schema, answersLater, true);
}

function answersLater({ def = {}, check }: ZodInternals): boolean {
  if (def['type'] === 'promise' || def['reverseTransform'] !== undefined) return true;
  // `superRefine` creates a custom check without the function in its definition.
  if (def['check'] === 'custom' && def['fn'] === undefined && typeof check === 'function') return true;
  return isAsyncFunction(def['fn']) || isAsyncFunction(def['transform']);
}

function isAsyncFunction(value: unknown): boolean {
  return typeof value === 'function' && value.constructor.name === 'AsyncFunction';
}
