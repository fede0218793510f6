import { ApiError } from './api-error.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';

/** The path of the base URL, as in the document. */
export const BASE_PATH = '/v1';

interface Route {
  readonly operation: Operation;
  readonly segments: readonly string[];
}

const ROUTES: readonly Route[] = OPERATIONS.map((operation) => ({
  operation,
  segments: operation.path.split('/'),
}));

export interface Match {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

/** The operation of a request. A literal segment takes precedence over a parameter: `/transactions/import` is not a transaction. */
export function route(method: string, path: string): Match {
  const given = path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length).split('/') : [];
  const matches = ROUTES.filter(
    ({ operation, segments }) => operation.method === method && fits(segments, given),
  ).sort((a, b) => countParams(a) - countParams(b));
  const [best] = matches;
  if (best === undefined) throw new ApiError('not_found', `There is no operation ${method} ${path}`);
  const params = best.segments.flatMap((segment, index): [string, string][] =>
    isParam(segment) ? [[segment.slice(1, -1), decode(given[index] ?? '')]] : [],
  );
  return { operation: best.operation, params: Object.fromEntries(params) };
}

function isParam(segment: string): boolean {
  return segment.startsWith('{');
}

function countParams({ segments }: Route): number {
  return segments.filter(isParam).length;
}

function fits(segments: readonly string[], given: readonly string[]): boolean {
  return (
    segments.length === given.length &&
    segments.every((segment, index) => (isParam(segment) ? given[index] !== '' : given[index] === segment))
  );
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ApiError('not_found', `The path has an invalid escape: ${segment}`);
  }
}
