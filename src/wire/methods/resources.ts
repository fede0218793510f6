import { stamped } from '../services/method.ts';
import type { Incoming, Method, MethodReply } from '../services/method.ts';
import { invalidParams, LEGACY_RESOURCE_NOT_FOUND, methodNotFound, NO_ROOM } from '../messages/rpc-errors.ts';
import { encodeComponentReply } from './component-replies.ts';
import { MAX_SUBSCRIBED } from '../messages/listen-request.ts';
import { toCall } from './call-parts.ts';
import { isDialogue, openDialogue } from './rounds.ts';

/** `resources/read`. */
export const readResource: Method = async (incoming): Promise<MethodReply> => {
  const { services, request, exchange } = incoming;
  if (services.resources === undefined) return { error: methodNotFound(request.method) };
  const { uri } = request.params ?? {};
  if (!isUri(uri)) return { error: NO_URI };
  const dialogue = await openDialogue(incoming);
  if (!isDialogue(dialogue)) return dialogue;
  const { reply, cacheHint } = await services.resources.readWithHint({
    ...toCall(incoming, dialogue, { name: uri, arguments: undefined }),
    uri,
  });
  const hint = cacheHint ?? services.cacheHints['resources/read'];
  // Contents that depend on this client's input are neither shared nor cached.
  const { ttlMs, scope } = dialogue.hasAsked ? { ttlMs: 0, scope: 'private' } : hint;
  // Not decided per URI: that would reveal the URIs of hidden resources.
  const cacheScope = services.resources.variesByCaller ? 'private' : scope;
  return encodeComponentReply(incoming, {
    dialogue,
    reply,
    encode: (value) => ({
      json:
        exchange.revision.era === 'modern'
          ? stamped(services.introduction, { ...value, ttlMs, cacheScope })
          : JSON.stringify(value),
    }),
  });
};

/** `resources/subscribe` and `resources/unsubscribe`, in earlier revisions. */
export const subscribe: Method = (incoming) => changeSubscription(incoming, true);
export const unsubscribe: Method = (incoming) => changeSubscription(incoming, false);

function changeSubscription({ services, request, exchange }: Incoming, isWanted: boolean): MethodReply {
  const { resources, limits } = services;
  const { session, caller } = exchange;
  if (resources === undefined || session === undefined) return { error: methodNotFound(request.method) };
  const { uri } = request.params ?? {};
  if (!isUri(uri)) return { error: NO_URI };
  if (!isWanted) {
    session.subscriptions.delete(uri);
    return { json: '{}' };
  }
  if (!resources.has(uri, caller)) {
    return {
      error: { code: LEGACY_RESOURCE_NOT_FOUND, message: `Resource not found: ${uri}`, data: { uri } },
    };
  }
  if (!fits(session.subscriptions, uri, limits.maxSubscriptions))
    return {
      error: invalidParams(
        `Too many subscriptions: at most ${limits.maxSubscriptions} resources, with ${MAX_SUBSCRIBED} characters in total.`,
      ),
    };
  return session.subscriptions.add(uri).has(uri) ? { json: '{}' } : { error: NO_ROOM };
}

function fits(subscribed: ReadonlySet<string>, uri: string, maxCount: number): boolean {
  if (subscribed.has(uri)) return true;
  let size = uri.length;
  for (const other of subscribed) size += other.length;
  return subscribed.size < maxCount && size <= MAX_SUBSCRIBED;
}

/** Maximum length of a URI. */
const MAX_URI = 8192;

const NO_URI = invalidParams(`Invalid params: uri must be a string of at most ${MAX_URI} characters.`);

function isUri(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_URI;
}
