import type { AssertionValues, CapturedOutput, CollectionError, RunnerVersions } from '../test-run.ts';
import type { TracebackFrame } from '../test-run.ts';
import { NotFoundError } from './run-errors.ts';
import { listFailedIds } from './run-record.ts';
import type { RunRecord, StoredOutcome, StoredTest } from './run-record.ts';

const MAX_NAMED = 5;

/** The parts of a failure that belong to the project. */
export interface FailureExplanation {
  readonly run_id: string;
  readonly node_id: string;
  readonly outcome: string;
  /** The phase that failed: `setup`, `call`, `teardown` or `collect`. */
  readonly phase: string | null;
  readonly error_type: string | null;
  readonly message: string | null;
  /** Frames of code of the project, the outermost first: the last one is the nearest to the error. */
  readonly frames: readonly Frame[];
  /** Number of frames of installed packages, which are left out. */
  readonly other_frames: number;
  readonly assertion: Omit<AssertionValues, 'diff'> | null;
  readonly diff: readonly string[];
  readonly causes: readonly {
    readonly type: string;
    readonly message: string;
    readonly frames: readonly Frame[];
  }[];
  readonly captured: readonly CapturedOutput[];
  readonly runner: RunnerVersions;
}

type Frame = Omit<TracebackFrame, 'in_project'>;

/** Explains a failed test, or a file that could not be collected. Throws `NotFoundError` if the run has no such failure. */
export function explainFailure(run: RunRecord, nodeId: string): FailureExplanation {
  const { id, outcome } = run;
  const failure = outcome === undefined ? undefined : findFailure(outcome, nodeId);
  if (outcome !== undefined && failure !== undefined)
    return { run_id: id, ...failure, runner: outcome.runner };
  throw new NotFoundError('node_id', describeMissing(run, nodeId));
}

type Failure = Omit<FailureExplanation, 'run_id' | 'runner'>;

function findFailure({ tests, collection_errors }: StoredOutcome, nodeId: string): Failure | undefined {
  const test = tests.find(({ node_id }) => node_id === nodeId);
  if (test !== undefined && test.outcome !== 'passed') return explainTest(test);
  const error = collection_errors.find(({ node_id, file }) => [node_id, file].includes(nodeId));
  return error === undefined ? undefined : explainCollectionError(error);
}

function explainCollectionError(error: CollectionError): Failure {
  const { node_id, file, line, type, message, traceback } = error;
  const own = listOwn(traceback);
  // A syntax error has a place without a frame.
  const place = { file, line: line ?? 0, function: '<module>', code: '' };
  return {
    node_id,
    outcome: 'error',
    phase: 'collect',
    error_type: type,
    message,
    frames: own.length > 0 || line === null ? own : [place],
    other_frames: traceback.length - own.length,
    assertion: null,
    diff: [],
    causes: [],
    captured: [],
  };
}

function explainTest({ node_id, outcome, ...details }: StoredTest): Failure {
  const { error_type = null, message = null, phases = [], traceback = [], causes = [] } = details;
  const { captured = [], assertion: compared = null } = details;
  const frames = listOwn(traceback);
  const { diff = [], ...assertion } = compared ?? {};
  return {
    node_id,
    outcome,
    error_type,
    message,
    frames,
    captured,
    phase: phases.find((phase) => phase.outcome === 'failed')?.phase ?? phases.at(-1)?.phase ?? null,
    other_frames: traceback.length - frames.length,
    assertion: compared === null ? null : (assertion as FailureExplanation['assertion']),
    diff,
    causes: causes.map(({ type, message, traceback }) => ({ type, message, frames: listOwn(traceback) })),
  };
}

function listOwn(frames: readonly TracebackFrame[]): readonly Frame[] {
  return frames
    .filter((frame) => frame.in_project)
    .map(({ file, line, function: name, code }) => ({ file, line, function: name, code }));
}

function describeMissing(run: RunRecord, nodeId: string): string {
  if (run.status === 'running') return `The run ${run.id} has not ended yet.`;
  const hasPassed = run.outcome?.tests.some(({ node_id }) => node_id === nodeId);
  const failed = listFailedIds(run);
  const named = failed.slice(0, MAX_NAMED).map((id) => `"${id}"`);
  const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : '';
  const choices = failed.length === 0 ? 'No test failed.' : `Failed: ${named.join(', ')}${more}.`;
  const short = nodeId.length > 200 ? `${nodeId.slice(0, 200)}…` : nodeId;
  return hasPassed
    ? `"${short}" passed in the run ${run.id}. ${choices}`
    : `The run ${run.id} has no test "${short}". ${choices}`;
}
