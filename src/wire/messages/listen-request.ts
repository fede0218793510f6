import { weighValue } from '../../base/memory/weigh.ts';
import type { RpcRequest } from './json-rpc.ts';

/** The method that listens. */
export const LISTEN = 'subscriptions/listen';

/** So long may all URIs be together that one client is subscribed to: a template may let it make up any number of them. */
export const MAX_SUBSCRIBED = 65_536;

/**
 * A request as far as it is kept while it is answered: of one that listens, which may take hours, only what can be listened for.
 */
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

/** As many of them as one client may subscribe to. */
function boundedTexts(value: unknown): string[] {
  let size = 0;
  return textsOf(value).filter((text) => {
    size += text.length;
    return size <= MAX_SUBSCRIBED;
  });
}

/** Longer than any address or id. */
const MAX_TEXT = 8192;

/** Those of a list that can be listened for. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((entry) => typeof entry === 'string' && entry.length <= MAX_TEXT)
    : [];
}
