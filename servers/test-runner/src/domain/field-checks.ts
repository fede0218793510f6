import { InvalidRequestError } from './request-errors.ts';
import type { FieldIssue } from './request-errors.ts';

/** Bounds of requests. The system allows 2 MB of arguments. */
const MAX_NODE_IDS = 5_000;
const MAX_NODE_ID_BYTES = 1_000_000;

export function assertValid(issues: readonly FieldIssue[]): void {
  if (issues.length > 0) throw new InvalidRequestError(issues);
}

/** Checks the number and the size of node ids, then each id with `findProblem`, which returns the message of the first problem. */
export function checkNodeIds(
  ids: readonly string[],
  findProblem: (id: string) => string | undefined,
): readonly FieldIssue[] {
  if (ids.length > MAX_NODE_IDS) {
    return [{ path: ['node_ids'], message: `Expected at most ${MAX_NODE_IDS} ids, received ${ids.length}.` }];
  }
  const bytes = ids.reduce((sum, id) => sum + Buffer.byteLength(id), 0);
  if (bytes > MAX_NODE_ID_BYTES) {
    const message = `Expected at most ${MAX_NODE_ID_BYTES} bytes in all ids, received ${bytes}.`;
    return [{ path: ['node_ids'], message }];
  }
  return ids.flatMap((id, index) => {
    const message = findProblem(id);
    return message === undefined ? [] : [{ path: ['node_ids', index], message }];
  });
}

export function checkText(field: string, value: string, max: number): readonly FieldIssue[] {
  if (value.includes('\0')) return [{ path: [field], message: 'NUL characters are not allowed.' }];
  if (value.trim() !== '' && value.length <= max) return [];
  return [
    {
      path: [field],
      message: `Expected 1 to ${max} characters, received ${value.length} (not only spaces).`,
    },
  ];
}

export function checkInteger(
  field: string,
  value: number | undefined,
  [min, max]: readonly [number, number],
): readonly FieldIssue[] {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return [];
  return [{ path: [field], message: `Expected an integer from ${min} to ${max}, received ${value}.` }];
}
