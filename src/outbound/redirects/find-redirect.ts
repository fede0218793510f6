/** The maximum number of redirects of one request. */
export const MAX_REDIRECTS = 5;

const STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether a status says that what was asked for is elsewhere. */
export function isRedirect(status: number): boolean {
  return STATUSES.has(status);
}

/** A request, as far as redirects are concerned. */
export interface RedirectedRequest {
  readonly method: string;
  readonly url: URL;
}

/** A response, as far as redirects are concerned. */
export interface RedirectResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

/** The address that a GET or HEAD request is redirected to, if that is within its origin. Other redirects are not followed. */
export function findRedirect(
  { method, url }: RedirectedRequest,
  { status, headers }: RedirectResponse,
): URL | undefined {
  if (!isRedirect(status) || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const to = readLocation(headers.get('location'), url);
  // The origin of a `blob:` URL is that of the URL in it.
  // defence: origin-of-a-followed-redirect
  if (to?.origin !== url.origin || to.protocol !== url.protocol) return undefined;
  to.username = '';
  to.password = '';
  to.hash = '';
  return to;
}

/** A location as an absolute address; undefined if it is none. */
export function readLocation(location: string | undefined, base: URL): URL | undefined {
  return location === undefined || !URL.canParse(location, base.href) ? undefined : new URL(location, base);
}
