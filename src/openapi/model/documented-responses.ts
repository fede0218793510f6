import type { Operation } from './operation.ts';

/** Headers of a response that belong to its result, as they are written. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  ['etag', 'ETag'],
  ['location', 'Location'],
]);

/** The headers that the result of an operation has: of ETag and Location, those that it documents. */
export function shownHeadersOf({ responses }: Pick<Operation, 'responses'>): readonly string[] {
  const documented = new Set(responses.flatMap(({ headers }) => headers));
  return [...SHOWN].filter(([name]) => documented.has(name)).map(([, written]) => written);
}

/** Whether an operation documents a status from 300 to 399, by itself or as `3XX`. */
export function documentsRedirect({ responses }: Pick<Operation, 'responses'>, status: number): boolean {
  return responses.some((each) => each.status === String(status) || each.status.toUpperCase() === '3XX');
}

/** Whether a redirect is what an operation is for, such as one to a file that is elsewhere: its responses are redirects, and none has a status of 2xx. */
export function isRedirection({ responses }: Pick<Operation, 'responses'>): boolean {
  const isOf = (digit: string): boolean =>
    responses.some(({ status }) => status.startsWith(digit) && status !== '304');
  return isOf('3') && !isOf('2');
}
