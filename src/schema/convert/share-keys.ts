import type { SchemaNode } from '../nodes/json-node.ts';
import type { PatternLimits } from '../expressions/bounded-expression.ts';
import { rootKeys } from '../view/root-keys.ts';
import type { RootKeys } from '../view/root-keys.ts';
import { SchemaView } from '../view/schema-view.ts';

/** How the keys of an object are dealt out to its parts. */
export interface KeyShares {
  /** Which parts get a key, one answer a part. */
  readonly of: (key: string) => readonly boolean[];
  /** Whether no part says anything about keys that none of them names. */
  readonly isSilent: boolean;
}

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
  const speaker = lastSpeaker(keys);
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
  return {
    of: (key) => prepared.get(key) ?? (hasPatterns ? takersOf(key) : rest),
    isSilent: !hasUnknown && speaker === undefined,
  };
}

/** The last part that says something about keys that no part names. */
export function lastSpeaker(keys: readonly (RootKeys | undefined)[]): number | undefined {
  const found = keys.findLastIndex((part) => part?.saysRest === true);
  return found === -1 ? undefined : found;
}
