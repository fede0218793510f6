import type { SchemaNode } from '../nodes/json-node.ts';
import type { PatternLimits } from '../expressions/bounded-expression.ts';
import { rootKeys } from '../view/root-keys.ts';
import type { RootKeys } from '../view/root-keys.ts';
import { SchemaView } from '../view/schema-view.ts';

/** Distribution of the keys of an object among its parts. */
export interface KeyShares {
  /** For each part, whether it gets the key. */
  readonly of: (key: string) => readonly boolean[];
  /** Whether no part has a rule for keys that no part names. */
  readonly isSilent: boolean;
}

/**
 * Distributes the keys of an object among the parts that describe it: a part gets the keys that it names. Unnamed keys go to
 * the last part with a rule for them, or to all parts if none has one.
 *
 * The names of a part without a document are unknown: it gets the keys that no other part names.
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
  // Prepared only for names in the schemas, so that callers cannot fill the map.
  const prepared = new Map(keys.flatMap((part) => part?.names ?? []).map((name) => [name, takersOf(name)]));
  const hasPatterns = keys.some((part) => part !== undefined && part.patterns.length > 0);
  return {
    of: (key) => prepared.get(key) ?? (hasPatterns ? takersOf(key) : rest),
    isSilent: !hasUnknown && speaker === undefined,
  };
}

/** The last part with a rule for keys that no part names. */
export function lastSpeaker(keys: readonly (RootKeys | undefined)[]): number | undefined {
  const found = keys.findLastIndex((part) => part?.saysRest === true);
  return found === -1 ? undefined : found;
}
