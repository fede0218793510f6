/** Test runs, whatever runs them. Fields that leave the server as JSON have the names of the JSON. */

export type TestOutcome = 'passed' | 'failed' | 'skipped' | 'xfailed' | 'xpassed' | 'error';

export interface TracebackFrame {
  /** Relative to the project folder, or absolute outside of it. */
  readonly file: string;
  readonly line: number;
  readonly function: string;
  readonly code: string;
  /** Whether the frame is code of the project, not of an installed package. */
  readonly in_project: boolean;
}

export interface TestError {
  readonly type: string;
  readonly message: string;
  readonly traceback: readonly TracebackFrame[];
}

/** The values of a failed comparison, and the difference line by line. */
export interface AssertionValues {
  readonly operator: string;
  readonly left: string;
  readonly right: string;
  readonly diff: readonly string[];
}

export interface CapturedOutput {
  readonly name: string;
  readonly text: string;
}

/** Setup, call or teardown of a test. */
export interface TestPhase {
  readonly phase: string;
  readonly outcome: string;
  readonly duration: number;
  readonly message: string | null;
}

export interface TestResult {
  readonly node_id: string;
  readonly outcome: TestOutcome;
  /** In seconds, all phases together. */
  readonly duration: number;
  readonly phases: readonly TestPhase[];
  /** The error, or the reason of a skip or of an expected failure. */
  readonly message: string | null;
  readonly error_type: string | null;
  /** The outermost frame first. */
  readonly traceback: readonly TracebackFrame[];
  /** The exceptions that led to the error, the nearest first; for a group of exceptions, also those in it. */
  readonly causes: readonly TestError[];
  readonly assertion: AssertionValues | null;
  /** Output of tests that did not pass, shortened. */
  readonly captured: readonly CapturedOutput[];
}

/** `total` is the sum of the outcomes. */
export interface RunSummary {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly xfailed: number;
  readonly xpassed: number;
  readonly errors: number;
  /** In seconds. */
  readonly duration: number;
}

export interface CollectionError extends TestError {
  readonly node_id: string;
  readonly file: string;
  readonly line: number | null;
}

export interface TestWarning {
  readonly category: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly phase: string;
  readonly node_id: string | null;
}

export interface DiscoveredTest {
  readonly node_id: string;
  readonly module: string | null;
  /** The classes around the function, the outermost first. */
  readonly class_path: readonly string[];
  readonly function: string;
  readonly file: string;
  readonly line: number | null;
}

/** The program that ran the tests, and the versions. */
export interface RunnerVersions {
  readonly interpreter: string;
  readonly interpreter_version: string | null;
  readonly runner: string;
  readonly runner_version: string | null;
}

/** Output of the process, shortened in the middle. */
export interface ProcessOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly command: readonly string[];
  /** In seconds. */
  readonly duration: number;
}

/** A run that came to its end: exit code 0 (all passed), 1 (some failed), 5 (no tests), or one that the project sets. */
export interface RunResult extends ProcessOutput {
  readonly kind: 'result';
  readonly exit_code: number;
  readonly summary: RunSummary;
  /** In the order of the run. */
  readonly tests: readonly TestResult[];
  readonly collection_errors: readonly CollectionError[];
  readonly warnings: readonly TestWarning[];
  readonly runner: RunnerVersions;
}

export type RunErrorReason =
  | 'interrupted'
  | 'internal_error'
  | 'usage_error'
  | 'ended_early'
  | 'timeout'
  | 'cancelled'
  | 'too_many_events';

/** A run that did not come to its end. `exit_code` is -1 if the runner was ended by the server. */
export interface RunError extends Omit<RunResult, 'kind'> {
  readonly kind: 'error';
  readonly reason: RunErrorReason;
  readonly message: string;
  /** Tests that had started and not ended. */
  readonly running: readonly string[];
}

export interface DiscoveryResult extends ProcessOutput {
  readonly kind: 'result';
  readonly tests: readonly DiscoveredTest[];
  readonly count: number;
  readonly collection_errors: readonly CollectionError[];
  readonly runner: RunnerVersions;
}

/** Progress of a run. */
export type RunEvent =
  | { readonly type: 'collected'; readonly total: number }
  | { readonly type: 'collection_error'; readonly error: CollectionError }
  | { readonly type: 'test_started'; readonly node_id: string }
  | {
      readonly type: 'test_finished';
      readonly test: TestResult;
      readonly finished: number;
      readonly total: number | null;
    };

export interface RunRequest {
  readonly node_ids?: readonly string[] | undefined;
  readonly markers?: string | undefined;
  readonly keywords?: string | undefined;
  readonly verbosity?: number | undefined;
  readonly failfast?: boolean | undefined;
  readonly maxfail?: number | undefined;
  readonly show_capture?: boolean | undefined;
  /** In seconds. */
  readonly timeout?: number | undefined;
}

export interface DiscoveryRequest {
  readonly path?: string | undefined;
  readonly pattern?: string | undefined;
}

export interface RunOptions {
  /** Cancels the run: all its processes are ended before the promise resolves. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/**
 * Runs the tests of one project. An invalid request rejects with `InvalidRequestError`, and a project without a usable runner with
 * `RunnerUnavailableError`; everything else is a value.
 */
export interface TestRunner {
  readonly name: 'pytest' | 'vitest';
  /** The fields of requests that this runner has; others are invalid. */
  readonly parameters: ReadonlySet<keyof RunRequest | keyof DiscoveryRequest>;
  discover(
    request: DiscoveryRequest,
    options?: Pick<RunOptions, 'signal'>,
  ): Promise<DiscoveryResult | RunError>;
  run(request: RunRequest, options?: RunOptions): Promise<RunResult | RunError>;
}
