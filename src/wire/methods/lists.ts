import { wrapListedTool } from '../../registry/legacy-output.ts';
import type { Incoming, Method, MethodReply } from '../services/method.ts';
import { PageBook } from '../services/pages.ts';
import type { ListItem } from '../services/pages.ts';
import { invalidParams, methodNotFound } from '../messages/rpc-errors.ts';
import type { CacheableMethod, Services } from '../services/services.ts';

/** Definition of a list method. */
interface ListSpec<TEntry extends object> {
  readonly method: CacheableMethod;
  readonly member: string;
  readonly entries: (incoming: Incoming) => readonly TEntry[] | undefined;
  /** Whether the list depends on the caller: then shared caches must not store it, whatever the hints are. */
  readonly varies: (services: Services) => boolean | undefined;
  readonly toItem: (entry: TEntry, isModern: boolean) => ListItem;
}

function defineList<TEntry extends object>(spec: ListSpec<TEntry>): Method {
  return (incoming): MethodReply => {
    const { services, request, exchange } = incoming;
    const entries = spec.entries(incoming);
    if (entries === undefined) return { error: methodNotFound(request.method) };
    const cursor = request.params?.['cursor'];
    if (cursor !== undefined && typeof cursor !== 'string')
      return { error: invalidParams('Invalid params: cursor must be a string.') };
    const isModern = exchange.revision.era === 'modern';
    // The array of entries is the same until something changes, so its pages are serialized once.
    const books = services.books.get(entries) ?? new Map<string, PageBook>();
    services.books.set(entries, books);
    const { era } = exchange.revision;
    const book = books.get(era) ?? makeBook(spec, incoming, { entries, isModern });
    books.set(era, book);
    const kept = book.find(cursor);
    return kept === undefined
      ? {
          error: invalidParams('Invalid params: invalid cursor for this list. Start again without a cursor.'),
        }
      : { kept };
  };
}

function makeBook<TEntry extends object>(
  { method, member, toItem, varies }: ListSpec<TEntry>,
  { services }: Incoming,
  { entries, isModern }: { entries: readonly TEntry[]; isModern: boolean },
): PageBook {
  const { ttlMs, scope: hinted } = services.cacheHints[method];
  const scope = varies(services) === true ? 'private' : hinted;
  return new PageBook(
    entries.map((entry) => toItem(entry, isModern)),
    {
      member,
      head: isModern ? services.introduction.stamp : '',
      tail: isModern ? `"ttlMs":${ttlMs},"cacheScope":"${scope}"` : '',
      maxBytes: services.limits.maxPageBytes,
      maxItems: services.limits.maxPageItems,
    },
  );
}

export const listTools: Method = defineList({
  method: 'tools/list',
  member: 'tools',
  entries: ({ services, exchange }) => services.tools?.listWireTools(exchange.caller),
  varies: ({ tools }) => tools?.variesByCaller,
  toItem: ({ listed, json }, isModern) => {
    // Before 2026-07-28 structured output must be an object.
    const legacy = isModern ? listed : wrapListedTool(listed);
    return { key: listed.name, json: legacy === listed ? json : JSON.stringify(legacy) };
  },
});

export const listPrompts: Method = defineList<ListItem>({
  method: 'prompts/list',
  member: 'prompts',
  entries: ({ services, exchange }) => services.prompts?.list(exchange.caller),
  varies: ({ prompts }) => prompts?.variesByCaller,
  toItem: (item) => item,
});

export const listResources: Method = defineList<ListItem>({
  method: 'resources/list',
  member: 'resources',
  entries: ({ services, exchange }) => services.resources?.list(exchange.caller),
  varies: ({ resources }) => resources?.variesByCaller,
  toItem: (item) => item,
});

export const listResourceTemplates: Method = defineList<ListItem>({
  method: 'resources/templates/list',
  member: 'resourceTemplates',
  entries: ({ services, exchange }) => services.resources?.listTemplates(exchange.caller),
  varies: ({ resources }) => resources?.variesByCaller,
  toItem: (item) => item,
});
