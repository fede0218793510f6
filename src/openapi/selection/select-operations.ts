import { ANY, assertOptions, oneOf, STRINGS } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import type { Finding } from '../../errors/finding.ts';
import type { Operation } from '../model/operation.ts';
import { askPredicate } from './ask-predicate.ts';
import { EntryMatcher } from './entry-matcher.ts';
import type { Called } from './entry-matcher.ts';
import { resourcesOf, toPathId } from './operation-identities.ts';

/**
 * Filters of operations. Default: all operations are imported. Exclude filters win over all others. `includeTools`
 * imports what it matches and nothing else, whatever the other include filters say; without it, an operation must
 * pass every include filter that has entries. Entries are case-insensitive, and `*` matches any characters.
 */
export interface OperationFilters {
  /** `explicit`: only what `includeTools` matches, even if it is empty. Default: `all`. */
  readonly mode?: 'all' | 'explicit';
  /** Names of tools, operationIds, keys such as `GET /pets/{id}`, or ids such as `GET::pets__---id`. */
  readonly includeTools?: readonly string[];
  /** Tags, one of which the operation must have. */
  readonly includeTags?: readonly string[];
  /** HTTP methods, or entries as in `includeTools`. */
  readonly includeOperations?: readonly string[];
  /** HTTP methods. */
  readonly includeMethods?: readonly string[];
  /** `pets` matches paths with a fixed segment `pets`; `/pets` matches paths that begin with it. */
  readonly includeResources?: readonly string[];
  readonly excludeTags?: readonly string[];
  /** Entries as in `includeTools`. */
  readonly excludeTools?: readonly string[];
  /** HTTP methods, or entries as in `excludeTools`. */
  readonly excludeOperations?: readonly string[];
  /** Whole paths, as in the document: `/admin/*`. */
  readonly excludePaths?: readonly string[];
  /** Whether deprecated operations are imported. Default: true. */
  readonly includeDeprecated?: boolean;
  /** Called last, for operations that pass all other filters. Return false to exclude one. */
  readonly filter?: (operation: Operation) => boolean;
}

/** Whether an operation is imported. */
export type Decision = { readonly kind: 'kept' } | ({ readonly kind: 'left-out' } & Against);

/** Reason why an operation is left out. */
interface Against {
  readonly reason: string;
  /** The reason as data, if an option is the reason. */
  readonly finding?: Finding;
}

/** Decision for each operation, and findings about entries that matched none. */
export interface Selection {
  readonly decisions: ReadonlyMap<Operation, Decision>;
  readonly unmatched: readonly Finding[];
}

const LISTS = [
  'includeTools',
  'includeTags',
  'includeOperations',
  'includeMethods',
  'includeResources',
  'excludeTags',
  'excludeTools',
  'excludeOperations',
  'excludePaths',
] as const;
type ListName = (typeof LISTS)[number];

/** Names of all filters but `mode`. */
export const FILTER_NAMES: readonly Exclude<keyof OperationFilters, 'mode'>[] = [
  ...LISTS,
  'includeDeprecated',
  'filter',
];

/** Decides which operations are imported; `names` are their tool names. */
export function selectOperations(
  operations: readonly Operation[],
  filters: OperationFilters,
  names: ReadonlyMap<Operation, string>,
): Selection {
  assertFilters(filters);
  const selector = new Selector(filters, names);
  const decisions = new Map<Operation, Decision>();
  for (const operation of operations) {
    const against = selector.findAgainst(operation);
    decisions.set(operation, against === undefined ? { kind: 'kept' } : { kind: 'left-out', ...against });
  }
  return { decisions, unmatched: [...selector.findUnasked(), ...selector.findUnused(operations)] };
}

/** Rejects misspelt filters: they would exclude nothing. */
function assertFilters(filters: OperationFilters): void {
  assertOptions('fromOpenAPI', filters, FILTERS);
}

const FILTERS: Rules = {
  mode: oneOf('all', 'explicit'),
  ...Object.fromEntries(FILTER_NAMES.map((name) => [name, ANY])),
  ...Object.fromEntries(LISTS.map((name) => [name, STRINGS])),
};

class Selector {
  readonly #filters: OperationFilters;
  readonly #names: ReadonlyMap<Operation, string>;
  readonly #matchers: ReadonlyMap<ListName, EntryMatcher>;

  constructor(filters: OperationFilters, names: ReadonlyMap<Operation, string>) {
    this.#filters = filters;
    this.#names = names;
    this.#matchers = new Map(
      LISTS.map((list) => {
        const entries = filters[list];
        return [list, new EntryMatcher(list, list === 'includeResources' ? withoutEnd(entries) : entries)];
      }),
    );
  }

  /** Returns the reason why an operation is left out. Calls every filter, so that unused entries are found. */
  findAgainst(operation: Operation): Against | undefined {
    const found = new Map<ListName, string>();
    for (const list of LISTS) {
      if (!this.#hasEntries(list)) continue;
      const entry = this.#matchers.get(list)?.find(this.#calledIn(list, operation));
      if (entry !== undefined) found.set(list, entry);
    }
    for (const list of LISTS) {
      const entry = list.startsWith('exclude') ? found.get(list) : undefined;
      if (entry !== undefined)
        return by({ reason: 'excluded', option: list, received: entry, message: `"${entry}" is in ${list}` });
    }
    const against = this.#findAmongIncludes(operation, found);
    if (against !== undefined) return against;
    const { filter } = this.#filters;
    if (
      filter === undefined ||
      askPredicate({ where: 'The filter', ask: filter, option: 'filter' }, operation)
    )
      return undefined;
    return { reason: 'the filter function excludes it' };
  }

  #findAmongIncludes(operation: Operation, found: ReadonlyMap<ListName, string>): Against | undefined {
    const { mode, includeDeprecated = true } = this.#filters;
    const reason = 'not-included';
    if (mode === 'explicit' || this.#hasEntries('includeTools'))
      return found.has('includeTools')
        ? undefined
        : by({ reason, option: 'includeTools', message: 'includeTools does not name it' });
    for (const list of LISTS) {
      if (!list.startsWith('include') || !this.#hasEntries(list) || found.has(list)) continue;
      return by({ reason, option: list, message: `it matches nothing in ${list}` });
    }
    return operation.deprecated && !includeDeprecated ? { reason: 'it is deprecated' } : undefined;
  }

  #hasEntries(list: ListName): boolean {
    return this.#matchers.get(list)?.isEmpty === false;
  }

  /** Identifiers of an operation for a filter. */
  #calledIn(list: ListName, operation: Operation): Called {
    const { key, method, path, operationId, tags } = operation;
    switch (list) {
      case 'includeTags':
      case 'excludeTags':
        return { names: tags };
      case 'includeMethods':
        return { names: [method] };
      case 'includeResources':
        return { names: this.#hasEntries(list) ? resourcesOf(path) : [] };
      case 'excludePaths':
        return { names: [path] };
      case 'includeTools':
      case 'excludeTools':
      case 'includeOperations':
      case 'excludeOperations': {
        const name = this.#names.get(operation);
        const names = [name, operationId].filter((each) => each !== undefined);
        const keys = this.#hasEntries(list) ? [key, toPathId(method, path)] : [];
        return { names, keys, others: list.endsWith('Operations') ? [method] : [] };
      }
    }
  }

  /** Reports filters that have no effect beside `includeTools`. */
  findUnasked(): Finding[] {
    if (this.#filters.mode === 'explicit' || !this.#hasEntries('includeTools')) return [];
    const unasked = LISTS.filter(
      (list) => list.startsWith('include') && list !== 'includeTools' && this.#hasEntries(list),
    );
    if (unasked.length === 0) return [];
    const message = `With includeTools, other include filters have no effect: ${unasked.join(', ')}.`;
    return [{ reason: 'ignored-options', option: 'includeTools', received: unasked, message }];
  }

  findUnused(operations: readonly Operation[]): Finding[] {
    return LISTS.flatMap(
      (list) =>
        this.#matchers.get(list)?.findUnused(() =>
          operations.flatMap((operation) => {
            const { names, keys = [], others = [] } = this.#calledIn(list, operation);
            return [...names, ...keys, ...others];
          }),
        ) ?? [],
    );
  }
}

function by(finding: Finding): Against {
  return { reason: finding.message, finding };
}

/** Removes a trailing slash: `/pets/` means the same as `/pets`. */
function withoutEnd(entries: readonly string[] = []): string[] {
  return entries.map((entry) => (entry.length > 1 && entry.endsWith('/') ? entry.slice(0, -1) : entry));
}
