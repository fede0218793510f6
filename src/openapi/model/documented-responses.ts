import type { Operation } from './operation.ts';

/** Response headers that can be part of a result, with their usual spelling. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  ['etag', 'ETag'],
  ['location', 'Location'],
]);

/** Headers that the result of an operation contains: ETag and Location, if the operation documents them. */
export function shownHeadersOf({ responses }: Pick<Operation, 'responses'>): readonly string[] {
  const documented = new Set(responses.flatMap(({ headers }) => headers));
  return [...SHOWN].filter(([name]) => documented.has(name)).map(([, written]) => written);
}

/** Whether an operation documents a status from 300 to 399, directly or as `3XX`. */
export function documentsRedirect({ responses }: Pick<Operation, 'responses'>, status: number): boolean {
  return responses.some((each) => each.status === String(status) || each.status.toUpperCase() === '3XX');
}

/** Whether an operation is a redirect, such as to a file elsewhere: its documented responses are redirects, and none has a status 2xx. */
export function isRedirection({ responses }: Pick<Operation, 'responses'>): boolean {
  const isOf = (digit: string): boolean =>
    responses.some(({ status }) => status.startsWith(digit) && status !== '304');
  return isOf('3') && !isOf('2');
}
