import type { Exchange } from '../served/exchange.ts';
import type { Introduction } from '../served/introduction.ts';
import type { Announced, Runtime } from '../served/served.ts';
import type { ServerEvent } from '../../stores/event-bus.ts';
import type { Quota } from '../../base/quota.ts';
import { CoalescingQueue } from '../served/coalescing-queue.ts';
import { ListNews } from '../served/list-news.ts';
import { META, TASKS_EXTENSION } from '../messages/meta-keys.ts';
import type { Incoming, Method, MethodReply } from '../services/method.ts';
import { INTERNAL_ERROR, invalidParams, missingCapability } from '../messages/rpc-errors.ts';
import { accountOf, isAnonymous, ownerOf } from '../served/owner.ts';
import { MAX_SUBSCRIBED, textsOf } from '../messages/listen-request.ts';

/** Requested notifications that this server supports. */
interface Filter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
  readonly taskIds?: readonly string[];
}

/** Services that subscriptions need. */
export interface ListenServices extends Runtime, Announced {
  readonly introduction: Introduction;
  /** Quota of subscriptions. */
  readonly listeners: Quota;
}

/** `subscriptions/listen`: sends notifications until the server closes, then responds. */
export const listen: Method<ListenServices> = async (incoming): Promise<MethodReply> => {
  const { services, request, exchange } = incoming;
  const wanted = request.params?.['notifications'];
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted))
    return { error: invalidParams('Invalid params: notifications must be an object.') };
  const hasTasks = exchange.client.capabilities.extensions?.[TASKS_EXTENSION] !== undefined;
  if (!hasTasks && textsOf((wanted as Record<string, unknown>)['taskIds']).length > 0) {
    const message = `Subscribing to tasks requires a client that declares the extension ${TASKS_EXTENSION}.`;
    return { error: missingCapability({ extensions: { [TASKS_EXTENSION]: {} } }, message) };
  }
  const owner = await ownerOf(exchange.caller, services.introduction.info.name);
  const filter = await honour(incoming, wanted as Record<string, unknown>, owner);
  const release = services.listeners.take({ owner, isAnonymous: isAnonymous(exchange.caller) });
  if (release === undefined) {
    const message = 'Too many subscriptions are open. Close one, or combine several in one request.';
    return { error: { code: INTERNAL_ERROR.code, message, data: { code: 'BUSY' } } };
  }
  try {
    await stream(incoming, filter, owner);
  } finally {
    release();
  }
  const meta = { [META.serverInfo]: services.introduction.signature, [META.subscriptionId]: request.id };
  return { json: JSON.stringify({ resultType: 'complete', _meta: meta }) };
};

/** The client may subscribe again, and then gets the current state. */
const TOO_SLOW = new DOMException('The client reads too slowly.', 'AbortError');

/** Sends notifications until the client disconnects or the server closes. */
async function stream(
  { services, request, exchange }: Incoming<ListenServices>,
  filter: Filter,
  owner: string,
): Promise<void> {
  const queue = new CoalescingQueue((message) => exchange.send(message), {
    account: accountOf(services.memory, exchange.caller),
    onNoRoom: () => exchange.cancellation.cancel(TOO_SLOW),
  });
  const tell = (key: string, method: string, params: object): void => {
    const _meta = { [META.subscriptionId]: request.id };
    queue.add(key, JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta } }));
  };
  tell('acknowledged', 'notifications/subscriptions/acknowledged', { notifications: filter });
  const uris = new Set(filter.resourceSubscriptions);
  const tasks = new Set(filter.taskIds);
  const lists = new ListNews(services);
  const hear = (event: ServerEvent): void => {
    if (event.kind === 'resource') {
      // Checked for every event: the caller's rights can change during a subscription.
      if (uris.has(event.uri) && services.resources?.has(event.uri, exchange.caller) === true)
        tell(`resource ${event.uri}`, 'notifications/resources/updated', { uri: event.uri });
    } else if (event.kind === 'task') {
      const { taskId } = event.task;
      if (event.owner === owner && tasks.has(String(taskId)))
        tell(`task ${String(taskId)}`, 'notifications/tasks', event.task);
    } else if (
      event.kind !== 'session' &&
      filter[`${event.kind}ListChanged`] === true &&
      lists.concerns(event, exchange.caller)
    ) {
      tell(event.kind, `notifications/${event.kind}/list_changed`, {});
    }
  };
  const unsubscribe = services.bus.subscribe(hear);
  try {
    await untilOver(exchange, services);
  } finally {
    unsubscribe();
    queue.clear();
  }
}

/** Resolves when the client cancels the request, or the transport or the server closes. */
function untilOver({ cancellation, closing }: Exchange, services: Runtime): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancellation.offCancel(end);
      for (const stop of watched) stop();
      resolve();
    };
    // defence: end-for-listeners
    const watched = [closing, services.closing].map((each) => each.onClose(() => queueMicrotask(end)));
    cancellation.onCancel(end);
  });
}

/** The part of the requested notifications that exists and that the caller may see. */
async function honour(
  { services, exchange }: Incoming<ListenServices>,
  wanted: Readonly<Record<string, unknown>>,
  owner: string,
): Promise<Filter> {
  const { tools, prompts, resources, limits } = services;
  const uris = textsOf(wanted['resourceSubscriptions']).slice(0, limits.maxSubscriptions);
  let size = 0;
  const readable = uris.filter((uri) => {
    if (resources?.has(uri, exchange.caller) !== true || size + uri.length > MAX_SUBSCRIBED) return false;
    size += uri.length;
    return true;
  });
  const taskIds: string[] = [];
  for (const id of new Set(textsOf(wanted['taskIds']).slice(0, limits.maxSubscriptions))) {
    if (await services.hasTask(id, owner)) taskIds.push(id);
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
