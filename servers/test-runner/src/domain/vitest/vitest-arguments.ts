import { assertValid, checkInteger, checkNodeIds, checkText } from '../field-checks.ts';
import { findPlaceProblem, findTextProblem } from '../project-path.ts';
import type { FieldIssue } from '../request-errors.ts';
import type { DiscoveryRequest, RunRequest, TestRunner } from '../test-run.ts';

/** The system allows 128 KB for one argument, and JSON writes a character with up to six bytes. */
const MAX_NODE_ID = 16_384;
const MAX_EXPRESSION = 4_096;
const MAX_PATTERN = 256;

/** Fields of requests that vitest has. */
export const VITEST_PARAMETERS: TestRunner['parameters'] = new Set([
  'node_ids',
  'keywords',
  'maxfail',
  'timeout',
  'path',
  'pattern',
]);

export interface ArgumentSettings {
  /** Real path of the project folder. */
  readonly project: string;
  /** The longest `timeout` of a request, in seconds. */
  readonly maxTimeoutSeconds: number;
}

/** Checks a request for a run. Throws `InvalidRequestError` with all invalid fields. */
export function assertRunRequest(
  request: RunRequest,
  { project, maxTimeoutSeconds }: ArgumentSettings,
): void {
  const { node_ids = [], keywords, maxfail, timeout } = request;
  assertValid([
    ...checkParameters(request),
    ...checkNodeIds(node_ids, (id) => findNodeIdProblem(project, id)),
    ...checkKeywords(keywords),
    ...checkInteger('maxfail', maxfail, [1, Number.MAX_SAFE_INTEGER]),
    ...checkInteger('timeout', timeout, [1, maxTimeoutSeconds]),
  ]);
}

/** Checks a request for a discovery. Throws `InvalidRequestError` with all invalid fields. */
export function assertDiscoveryRequest(
  { path, pattern }: DiscoveryRequest,
  { project }: ArgumentSettings,
): void {
  const problem = path === undefined ? undefined : (findTextProblem(path) ?? findPlaceProblem(project, path));
  assertValid([
    ...(problem === undefined ? [] : [{ path: ['path'], message: problem }]),
    ...(pattern === undefined ? [] : checkText('pattern', pattern, MAX_PATTERN)),
  ]);
}

function checkParameters(request: RunRequest): readonly FieldIssue[] {
  const fields = Object.keys(request) as (keyof RunRequest)[];
  return fields
    .filter((field) => request[field] !== undefined && !VITEST_PARAMETERS.has(field))
    .map((field) => ({
      path: [field],
      message: `vitest has no ${field}. Use ${field === 'failfast' ? 'maxfail: 1' : 'node_ids or keywords'}.`,
    }));
}

/** Titles can be any text, so only the file of an id is checked. */
function findNodeIdProblem(project: string, id: string): string | undefined {
  if (id.length > MAX_NODE_ID) return `Expected at most ${MAX_NODE_ID} characters, received ${id.length}.`;
  // As `splitId` in node/vitest/node-ids.mjs.
  const [file = ''] = id.split(' > ', 1);
  const path = file.replaceAll(/(?<=^| )\\(\\*>)(?= |$)/g, '$1');
  return findTextProblem(path) ?? findPlaceProblem(project, path);
}

function checkKeywords(keywords: string | undefined): readonly FieldIssue[] {
  if (keywords === undefined) return [];
  const issues = checkText('keywords', keywords, MAX_EXPRESSION);
  if (issues.length > 0) return issues;
  try {
    RegExp(keywords);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${reason}. Expected a regular expression for the titles of suites and test, joined by spaces; escape . * + ? ^ $ { } ( ) | [ ] and \\ with a backslash.`;
    return [{ path: ['keywords'], message }];
  }
}
