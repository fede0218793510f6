import type { Exchange } from '../exchange.ts';
import type { Served } from '../served.ts';
import type { ServerEvent } from '../../stores/event-bus.ts';
import { CoalescingQueue } from '../coalescing-queue.ts';
import { ListNews } from '../list-news.ts';
import { META, TASKS_EXTENSION } from '../meta-keys.ts';
import type { Incoming, Method, MethodReply } from '../method.ts';
import type { RpcRequest } from '../json-rpc.ts';
import { weighValue } from '../../stores/weigh.ts';
import { INTERNAL_ERROR, invalidParams, missingCapability } from '../rpc-errors.ts';
import { accountOf, isAnonymous, ownerOf } from '../owner.ts';
import { MAX_SUBSCRIBED } from './resources.ts';

/** What a client wants to hear of, as far as this server has it. */
interface Filter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
  readonly taskIds?: readonly string[];
}

/**
 * A request as far as it is kept while it is answered: of one that listens, which may take hours, only what can be listened for.
 */
export function withoutRest(request: RpcRequest): RpcRequest {
  if (request.method !== 'subscriptions/listen') return request;
  const wanted = request.params?.['notifications'];
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return request;
  const { toolsListChanged, promptsListChanged, resourcesListChanged, ...lists } = wanted as Record<
    string,
    unknown
  >;
  const params = {
    notifications: {
      toolsListChanged: toolsListChanged === true,
      promptsListChanged: promptsListChanged === true,
      resourcesListChanged: resourcesListChanged === true,
      resourceSubscriptions: boundedTexts(lists['resourceSubscriptions']),
      taskIds: boundedTexts(lists['taskIds']),
    },
  };
  return { ...request, params, weight: weighValue(params) };
}

/** As many of them as one client may subscribe to. */
function boundedTexts(value: unknown): string[] {
  let size = 0;
  return textsOf(value).filter((text) => {
    size += text.length;
    return size <= MAX_SUBSCRIBED;
  });
}

/** `subscriptions/listen`: answered when the server closes, and telling until then. */
export const listen: Method = async (incoming): Promise<MethodReply> => {
  const { served, request, exchange } = incoming;
  const wanted = request.params?.['notifications'];
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted))
    return { error: invalidParams('Invalid params: notifications must say what to listen for.') };
  const hasTasks = exchange.client.capabilities.extensions?.[TASKS_EXTENSION] !== undefined;
  if (!hasTasks && textsOf((wanted as Record<string, unknown>)['taskIds']).length > 0) {
    const message = `Listening for tasks needs a client that has declared the extension ${TASKS_EXTENSION}.`;
    return { error: missingCapability({ extensions: { [TASKS_EXTENSION]: {} } }, message) };
  }
  const owner = await ownerOf(exchange.caller);
  const filter = await honour(incoming, wanted as Record<string, unknown>, owner);
  const release = served.listeners.take({ owner, isAnonymous: isAnonymous(exchange.caller) });
  if (release === undefined) {
    const message = 'Too many subscriptions are open. Close one, or listen for several things with one.';
    return { error: { code: INTERNAL_ERROR.code, message, data: { code: 'BUSY' } } };
  }
  try {
    await stream(incoming, filter, owner);
  } finally {
    release();
  }
  const meta = { [META.serverInfo]: served.signature, [META.subscriptionId]: request.id };
  return { json: JSON.stringify({ resultType: 'complete', _meta: meta }) };
};

/** It may listen again, and then sees what it missed. */
const TOO_SLOW = new DOMException('The client reads too slowly.', 'AbortError');

/** Tells until the client hangs up or the server closes. */
async function stream({ served, request, exchange }: Incoming, filter: Filter, owner: string): Promise<void> {
  const queue = new CoalescingQueue((message) => exchange.send(message), {
    account: accountOf(served.memory, exchange.caller),
    onNoRoom: () => exchange.cancellation.cancel(TOO_SLOW),
  });
  const tell = (key: string, method: string, params: object): void => {
    const _meta = { [META.subscriptionId]: request.id };
    queue.add(key, JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta } }));
  };
  tell('acknowledged', 'notifications/subscriptions/acknowledged', { notifications: filter });
  const uris = new Set(filter.resourceSubscriptions);
  const tasks = new Set(filter.taskIds);
  const lists = new ListNews(served);
  const hear = (event: ServerEvent): void => {
    if (event.kind === 'resource') {
      // Asked again each time: what a caller may see can change while it listens.
      if (uris.has(event.uri) && served.resources?.has(event.uri, exchange.caller) === true)
        tell(`resource ${event.uri}`, 'notifications/resources/updated', { uri: event.uri });
    } else if (event.kind === 'task') {
      const { taskId } = event.task;
      if (event.owner === owner && tasks.has(String(taskId)))
        tell(`task ${String(taskId)}`, 'notifications/tasks', event.task);
    } else if (filter[`${event.kind}ListChanged`] === true && lists.concerns(event, exchange.caller)) {
      tell(event.kind, `notifications/${event.kind}/list_changed`, {});
    }
  };
  const unsubscribe = served.bus.subscribe(hear);
  try {
    await untilOver(exchange, served);
  } finally {
    unsubscribe();
    queue.clear();
  }
}

/** Until the client takes its request back, or one of those closes that would have to serve it. */
function untilOver({ cancellation, closing }: Exchange, served: Served): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancellation.offCancel(end);
      for (const stop of watched) stop();
      resolve();
    };
    const watched = [closing, served.closing].map((each) => each.onClose(() => queueMicrotask(end)));
    cancellation.onCancel(end);
  });
}

/** The part of what is wanted that there is, and that the caller may know of. */
async function honour(
  { served, exchange }: Incoming,
  wanted: Readonly<Record<string, unknown>>,
  owner: string,
): Promise<Filter> {
  const { tools, prompts, resources, limits } = served;
  const uris = textsOf(wanted['resourceSubscriptions']).slice(0, limits.maxSubscriptions);
  let size = 0;
  const readable = uris.filter((uri) => {
    if (resources?.has(uri, exchange.caller) !== true || size + uri.length > MAX_SUBSCRIBED) return false;
    size += uri.length;
    return true;
  });
  const taskIds: string[] = [];
  for (const id of new Set(textsOf(wanted['taskIds']).slice(0, limits.maxSubscriptions))) {
    if ((await served.tasks.get(id, owner)) !== undefined) taskIds.push(id);
  }
  return {
    ...(wanted['toolsListChanged'] === true && tools !== undefined ? { toolsListChanged: true } : {}),
    ...(wanted['promptsListChanged'] === true && prompts !== undefined ? { promptsListChanged: true } : {}),
    ...(wanted['resourcesListChanged'] === true && resources !== undefined
      ? { resourcesListChanged: true }
      : {}),
    ...(readable.length > 0 ? { resourceSubscriptions: readable } : {}),
    ...(taskIds.length > 0 ? { taskIds } : {}),
  };
}

/** Longer than any address or id. */
const MAX_TEXT = 8192;

function textsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((entry) => typeof entry === 'string' && entry.length <= MAX_TEXT)
    : [];
}
