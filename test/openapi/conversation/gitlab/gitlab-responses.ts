import type { ApiRequest, ApiResponse } from '../support/fake-api.ts';

/** An error as GitLab writes most of them: `{"message":"404 Project Not Found"}`. */
export function fail(status: number, message: unknown): ApiResponse {
  return { status, body: { message } };
}

/** The parameters that GitLab adds to its links with their defaults, whether the request has them or not. */
const LINKED = {
  membership: 'false',
  order_by: 'created_at',
  owned: 'false',
  sort: 'desc',
  statistics: 'false',
};

/** A page of a list with the headers of GitLab. On the last page `X-Next-Page` is empty. */
export function toPage(list: readonly object[], { query, target }: ApiRequest): ApiResponse {
  const size = Number(query.get('per_page') ?? 20);
  const page = Number(query.get('page') ?? 1);
  const pages = Math.max(1, Math.ceil(list.length / size));
  const next = { ...LINKED, ...Object.fromEntries(query), page: String(page + 1), per_page: String(size) };
  const href = `https://gitlab.example${target.split('?')[0]}?${new URLSearchParams(next).toString()}`;
  const headers = {
    ...(page < pages ? { link: `<${href}>; rel="next"` } : {}),
    'x-page': String(page),
    'x-per-page': String(size),
    'x-total': String(list.length),
    'x-total-pages': String(pages),
    'x-next-page': page < pages ? String(page + 1) : '',
  };
  return { status: 200, headers, body: list.slice((page - 1) * size, page * size) };
}

/** A page of keyset pagination: it has a `Link` to the next page, and no page number. */
export function toKeysetPage(
  page: readonly object[],
  next: Readonly<Record<string, string>> | undefined,
  { request, origin }: { readonly request: ApiRequest; readonly origin: string },
): ApiResponse {
  if (next === undefined) return { status: 200, body: page };
  const query = new URLSearchParams(request.query);
  for (const [name, value] of Object.entries(next)) query.set(name, value);
  const link = `<${origin}${request.target.split('?')[0]}?${query.toString()}>; rel="next"`;
  return { status: 200, headers: { link }, body: page };
}
