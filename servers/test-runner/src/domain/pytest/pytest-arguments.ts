import type { DiscoveryRequest, RunRequest } from '../test-run.ts';
import { assertValid, checkInteger, checkNodeIds, checkText } from '../field-checks.ts';
import type { FieldIssue } from '../request-errors.ts';
import { findNodeIdProblem, findPathProblem } from './node-id.ts';

const MAX_EXPRESSION = 4_096;
const MAX_PATTERN = 256;
const NO_MAXFAIL = '--maxfail=0';

export interface ArgumentSettings {
  /** Real path of the project folder. */
  readonly project: string;
  /** The longest `timeout` of a request, in seconds. */
  readonly maxTimeoutSeconds: number;
}

/** The arguments of pytest for a run. Throws `InvalidRequestError` with all invalid fields. */
export function toRunArguments(request: RunRequest, settings: ArgumentSettings): readonly string[] {
  const { node_ids = [], markers, keywords, verbosity, failfast, maxfail, show_capture, timeout } = request;
  assertValid([
    ...checkNodeIds(node_ids, (id) => findNodeIdProblem(settings.project, id)),
    ...checkExpression('markers', markers),
    ...checkExpression('keywords', keywords),
    ...checkInteger('verbosity', verbosity, [-2, 2]),
    ...checkInteger('maxfail', maxfail, [1, Number.MAX_SAFE_INTEGER]),
    ...checkInteger('timeout', timeout, [1, settings.maxTimeoutSeconds]),
    ...(failfast && maxfail !== undefined
      ? [{ path: ['maxfail'], message: 'Use either failfast or maxfail, not both.' }]
      : []),
  ]);
  return [
    // One argument each, so that no value is read as an option or as a file of arguments.
    ...(markers === undefined ? [] : [`-m=${markers}`]),
    ...(keywords === undefined ? [] : [`-k=${keywords}`]),
    ...(verbosity === undefined ? [] : [`--verbosity=${verbosity}`]),
    ...toMaxfail(failfast, maxfail),
    ...(show_capture === undefined ? [] : [`--show-capture=${show_capture ? 'all' : 'no'}`]),
    '--',
    ...node_ids,
  ];
}

/** The arguments of pytest for a discovery. Throws `InvalidRequestError` with all invalid fields. */
export function toDiscoveryArguments(
  { path, pattern }: DiscoveryRequest,
  { project }: ArgumentSettings,
): readonly string[] {
  const pathProblem = path === undefined ? undefined : findPathProblem(project, path);
  assertValid([
    ...(pathProblem === undefined ? [] : [{ path: ['path'], message: pathProblem }]),
    ...checkPattern(pattern),
  ]);
  return [
    '--collect-only',
    '-qq',
    // The options of the project can have a limit, which would hide the tests after it.
    NO_MAXFAIL,
    ...(pattern === undefined ? [] : ['-o', `python_files=${pattern}`]),
    '--',
    ...(path === undefined ? [] : [path]),
  ];
}

/** `failfast: false` is not nothing: the options of the project can have a limit. */
function toMaxfail(failfast: boolean | undefined, maxfail: number | undefined): readonly string[] {
  if (maxfail !== undefined) return [`--maxfail=${maxfail}`];
  if (failfast === undefined) return [];
  return [failfast ? '--maxfail=1' : NO_MAXFAIL];
}

function checkExpression(field: string, value: string | undefined): readonly FieldIssue[] {
  if (value === undefined) return [];
  return checkText(field, value, MAX_EXPRESSION);
}

function checkPattern(value: string | undefined): readonly FieldIssue[] {
  if (value === undefined) return [];
  // pytest splits the value like a shell.
  if (/["'\\]/.test(value)) {
    return [
      {
        path: ['pattern'],
        message: 'Quotes and backslashes are not allowed; expected a pattern such as "test_*.py".',
      },
    ];
  }
  return checkText('pattern', value, MAX_PATTERN);
}
