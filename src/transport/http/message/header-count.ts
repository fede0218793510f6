import type { IncomingMessage } from 'node:http';

/** Maximum number of headers of a request: twice the limit of common proxies. */
export const MAX_HEADERS = 200;

/** Message for a request with too many headers. */
export const TOO_MANY_HEADERS: string = `Too many headers: a request may have at most ${MAX_HEADERS}.`;

/** Number of headers that `node:http` keeps by default. Node 20 silently drops the others, so they cannot be checked; newer versions reject the request. */
const KEPT_BY_NODE = 1000;

/** Whether a request has too many headers, or as many as its server keeps: others may then have been dropped. */
// defence: limit-of-headers
export function hasTooManyHeaders({ rawHeaders, socket }: IncomingMessage): boolean {
  const count = rawHeaders.length / 2;
  if (count > MAX_HEADERS) return true;
  const { server } = socket as { server?: { readonly maxHeadersCount?: unknown } | null };
  const kept = Number(server?.maxHeadersCount ?? 0);
  return kept > 0 && count >= kept;
}

/** The same for a web-standard request, which joins headers of one name. `node:http` may be below it, so this many values may be all that it kept. */
export function hasTooManyFields(headers: Headers): boolean {
  let count = 0;
  let size = 0;
  for (const [, value] of headers) {
    count += 1;
    size += value.length;
  }
  if (count > MAX_HEADERS) return true;
  // Every joined value but the first adds two characters; a space at the end of a header is lost.
  if (size < (KEPT_BY_NODE - MAX_HEADERS) * 2 - MAX_HEADERS) return false;
  let parts = 0;
  for (const [, value] of headers) parts += value.split(/[,;](?: |$)/).length;
  return parts >= KEPT_BY_NODE;
}
