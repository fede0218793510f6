import type { IncomingMessage } from 'node:http';

/** How many headers a request may have: twice as many as the proxies in use let through. */
export const MAX_HEADERS = 200;

/** What a request with more headers is told. */
export const TOO_MANY_HEADERS: string = `Too many headers: a request may have at most ${MAX_HEADERS}.`;

/** So many `node:http` keeps, unless it is told otherwise. It drops the others without a word, so that nobody can look at them. */
const KEPT_BY_NODE = 2000;

/** Whether a request has more headers than are served, or as many as its server keeps: then others may have been dropped. */
// defence: limit-of-headers
export function hasTooManyHeaders({ rawHeaders, socket }: IncomingMessage): boolean {
  const count = rawHeaders.length / 2;
  if (count > MAX_HEADERS) return true;
  const { server } = socket as { server?: { readonly maxHeadersCount?: unknown } | null };
  const kept = Number(server?.maxHeadersCount ?? 0);
  return kept > 0 && count >= kept;
}

/**
 * The same for headers of a web-standard request, where several of one name arrive as one. `node:http` may be below, so that so many
 * parts may be all that it has kept.
 */
export function hasTooManyFields(headers: Headers): boolean {
  let count = 0;
  let size = 0;
  for (const [, value] of headers) {
    count += 1;
    size += value.length;
  }
  if (count > MAX_HEADERS) return true;
  // Every part but the first costs two characters.
  if (size < (KEPT_BY_NODE - MAX_HEADERS) * 2) return false;
  let parts = 0;
  for (const [, value] of headers) parts += value.split(/[,;] /).length;
  return parts >= KEPT_BY_NODE;
}
