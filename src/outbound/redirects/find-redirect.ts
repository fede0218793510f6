/** The maximum number of redirects of one request. */
export const MAX_REDIRECTS = 5;

const STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether a status is a redirect. */
export function isRedirect(status: number): boolean {
  return STATUSES.has(status);
}

/** The parts of a request that matter for redirects. */
export interface RedirectedRequest {
  readonly method: string;
  readonly url: URL;
}

/** The parts of a response that matter for redirects. */
export interface RedirectResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

/** Target of a redirected GET or HEAD request, if it is within the same origin. Other redirects are not followed. */
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

/** A `Location` header as an absolute URL; undefined if it is invalid. */
export function readLocation(location: string | undefined, base: URL): URL | undefined {
  return location === undefined || !URL.canParse(location, base.href) ? undefined : new URL(location, base);
}
