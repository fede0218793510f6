import { weighValue } from '../../base/memory/weigh.ts';
import type { RpcRequest } from './json-rpc.ts';

/** Method of subscriptions. */
export const LISTEN = 'subscriptions/listen';

/** Maximum length of all URIs that one client is subscribed to: with a template, it can invent any number of them. */
export const MAX_SUBSCRIBED = 65_536;

/** Drops the parts of a request that are not needed while it is handled. A subscription, which may stay open for hours, keeps only its filters. */
export function withoutRest(request: RpcRequest): RpcRequest {
  if (request.method !== LISTEN) return request;
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

/** The first strings of an array, up to the maximum length. */
function boundedTexts(value: unknown): string[] {
  let size = 0;
  return textsOf(value).filter((text) => {
    size += text.length;
    return size <= MAX_SUBSCRIBED;
  });
}

/** Maximum length of a URI or an id. */
const MAX_TEXT = 8192;

/** The strings of an array that are short enough to subscribe to. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((entry) => typeof entry === 'string' && entry.length <= MAX_TEXT)
    : [];
}
