import type { CollectionError, RunError, RunRequest, RunResult, TestResult } from '../test-run.ts';
import type { TestWarning } from '../test-run.ts';

/** `completed`: the runner came to its end, also with failed tests. `error`: it did not. */
export type RunStatus = 'running' | 'completed' | 'error' | 'cancelled';

type Stored<TOutcome> = Omit<TOutcome, 'tests' | 'warnings' | 'collection_errors'> & StoredLists;

/** A test with or without its details. */
export type StoredTest = Pick<TestResult, 'node_id' | 'outcome' | 'duration'> & Partial<TestResult>;

/** The lists of an outcome, shortened to the bytes that a run may take. */
export interface StoredLists {
  /** Failed tests first, then in the order of the run. */
  readonly tests: readonly StoredTest[];
  readonly collection_errors: readonly CollectionError[];
  readonly warnings: readonly TestWarning[];
  /** Number of entries that did not fit. */
  readonly omitted: {
    readonly tests: number;
    readonly collection_errors: number;
    readonly warnings: number;
    /** Tests that are kept without their details. */
    readonly details: number;
  };
}

/** The outcome of a run, in bounded size. */
export type StoredOutcome = Stored<RunResult> | Stored<RunError>;

/** A run of one caller. */
export interface RunRecord {
  readonly id: string;
  readonly owner: string;
  readonly request: RunRequest;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly status: RunStatus;
  readonly finished: number;
  /** Number of collected tests; `null` before the end of the collection. */
  readonly total: number | null;
  readonly endedAt: number | undefined;
  readonly outcome: StoredOutcome | undefined;
  /** The reason of a run that could not start. */
  readonly problem: string | undefined;
  /** Whether files of the project have changed since the run began. Only known to a server that watches them. */
  readonly filesChanged: boolean;
}

/**
 * The ids with which the tests that did not pass can be run again: failed tests and errors, tests that were running when the run ended, and
 * files that could not be collected.
 */
export function listFailedIds({ outcome }: RunRecord): readonly string[] {
  if (outcome === undefined) return [];
  const failed = outcome.tests.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
  const ids = [
    ...failed.map(({ node_id }) => node_id),
    ...(outcome.kind === 'error' ? outcome.running : []),
    ...outcome.collection_errors.map(({ node_id }) => node_id),
  ];
  return [...new Set(ids)].filter((id) => id !== '');
}
