import { readFileSync } from 'node:fs';
import type { ApiRequest, ApiResponse } from '../support/fake-api.ts';

const EXAMPLES = JSON.parse(
  readFileSync(new URL('../../../fixtures/openapi-cut/github-examples.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, unknown>>;

/** The success example of an operation in GitHub's own document: every response of the fake is based on it. */
export function exampleOf<TExample extends object>(operationId: string): TExample {
  const example = EXAMPLES[operationId];
  if (example === undefined) throw new Error(`there is no example of ${operationId}`);
  return structuredClone(example) as TExample;
}

const DOCS = 'https://docs.github.com/rest';

/** An error as GitHub writes it (`basic-error`, `validation-error`). */
export function fail(status: number, message: string, errors?: readonly object[]): ApiResponse {
  const body = { message, ...(errors === undefined ? {} : { errors }), documentation_url: DOCS };
  return { status, body: { ...body, status: String(status) } };
}

export const NOT_FOUND: ApiResponse = fail(404, 'Not Found');

/** A page of a list, and the `Link` header that GitHub sends with it: by the id of the repository, with all of the query. */
export function toPage(list: readonly object[], { target, query }: ApiRequest, origin: string): ApiResponse {
  const size = Math.min(Number(query.get('per_page') ?? 30), 100);
  const page = Number(query.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(list.length / size));
  const pathname = target.split('?')[0]?.replace('/repos/acme/shop', '/repositories/1296269') ?? '';
  const link = (number: number, relation: string): string => {
    const next = new URLSearchParams(query);
    next.set('page', String(number));
    return `<${origin}${pathname}?${next.toString()}>; rel="${relation}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ];
  const headers = links.length === 0 ? {} : { link: links.join(', ') };
  return { status: 200, headers, body: list.slice((page - 1) * size, page * size) };
}
