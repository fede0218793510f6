import type { ResourcesManager } from 'toolwright';
import type { Clock } from 'toolwright/collaborators';
import { createCacheHelpers, MemoryCacheStore } from 'toolwright/stores';
import type { BudgetApi } from './api/budget-api.ts';
import type { BudgetFormatter } from './collaborators/budget-formatter.ts';
import type { BudgetContext } from './context.ts';
import { BudgetReader } from './data/budget-reader.ts';
import { BudgetStore } from './data/budget-store.ts';
import type { Selection } from './data/budget-store.ts';
import { BudgetWriter } from './data/budget-writer.ts';
import type { Caller } from './data/caller.ts';
import { ACCOUNTS, MONTHS } from './data/collections.ts';
import { changedUris } from './resources.ts';
import type { Settings } from './settings/settings.ts';

interface Dependencies {
  readonly settings: Settings;
  readonly api: BudgetApi;
  readonly clock: Clock;
  readonly formatter: BudgetFormatter;
  readonly resources: Pick<ResourcesManager, 'notifyUpdated'>;
  readonly today: () => string;
}

/** Returns the function that creates the context of one caller, which outlives its calls. */
export function callerParts({ settings, api, clock, formatter, resources, today }: Dependencies) {
  return (owner: Caller): BudgetContext => {
    // A cache for each access token: a caller can neither evict nor count the entries of another.
    const entries = new MemoryCacheStore({ maxEntries: settings.cacheMaxEntries, clock });
    const store = new BudgetStore({ ...settings, api, cache: createCacheHelpers(entries, clock), clock });
    const onWrite = (caller: Caller, budgetId: string, touches: readonly string[]): void => {
      const known = listKnown(store, { caller, budgetId }, today());
      for (const uri of changedUris(budgetId, touches, known)) resources.notifyUpdated(uri);
    };
    const configuredBudgetId = settings.defaultBudgetId;
    return {
      owner,
      store,
      budgets: new BudgetReader({ caller: owner, api, store, configuredBudgetId }),
      writer: new BudgetWriter({ caller: owner, api, store, onWrite }),
      configuredBudgetId,
      toJson: (value) => formatter.formatFor(owner.output, value),
      get today() {
        return today();
      },
    };
  };
}

/** The entities with a resource of their own that a client can have subscribed to. */
function listKnown(store: BudgetStore, at: Selection, today: string): Record<string, readonly string[]> {
  const months = new Set([`${today.slice(0, 7)}-01`, ...store.knownIds(MONTHS, at)]);
  return { accounts: store.knownIds(ACCOUNTS, at), months: [...months] };
}
