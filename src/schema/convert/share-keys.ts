import type { SchemaNode } from '../nodes/json-node.ts';
import type { PatternLimits } from '../expressions/bounded-expression.ts';
import { rootKeys } from '../view/root-keys.ts';
import { SchemaView } from '../view/schema-view.ts';

/** Which parts of an object get a key, one answer a part. */
export type KeyShares = (key: string) => readonly boolean[];

/**
 * Deals the keys of an object out to the parts that describe it: a part gets the keys that it names. Those that nobody names go to
 * the last part that says something about them, or to all if none does.
 *
 * A part whose document is undefined cannot say what it names: it gets what nobody else does.
 */
export function shareKeys(documents: readonly (SchemaNode | undefined)[], limits?: PatternLimits): KeyShares {
  const views = documents.map((document) =>
    document === undefined ? undefined : new SchemaView(document, { limits }),
  );
  const keys = documents.map((document) => (document === undefined ? undefined : rootKeys(document)));
  const speaker = lastSpeaker(documents);
  const hasUnknown = documents.includes(undefined);
  const rest = documents.map((document, index) =>
    hasUnknown ? document === undefined : speaker === undefined || index === speaker,
  );
  const takersOf = (key: string): readonly boolean[] => {
    const takers = views.map((view) => view?.mentions(view.root, key) === true);
    return takers.includes(true) ? takers : rest;
  };
  // Prepared only for names in the schemas: callers must not be able to fill it.
  const prepared = new Map(keys.flatMap((part) => part?.names ?? []).map((name) => [name, takersOf(name)]));
  const hasPatterns = keys.some((part) => part !== undefined && part.patterns.length > 0);
  return (key) => prepared.get(key) ?? (hasPatterns ? takersOf(key) : rest);
}

/** The last part that says something about keys that no part names. */
export function lastSpeaker(documents: readonly (SchemaNode | undefined)[]): number | undefined {
  const found = documents.findLastIndex((document) => document !== undefined && rootKeys(document).saysRest);
  return found === -1 ? undefined : found;
}
