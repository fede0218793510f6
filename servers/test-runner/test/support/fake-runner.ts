import type { DiscoveryRequest, DiscoveryResult, RunError, RunOptions } from '../../src/domain/test-run.ts';
import type {
  RunRequest,
  RunResult,
  TestOutcome,
  TestResult,
  TestRunner,
} from '../../src/domain/test-run.ts';

const RUNNER = {
  interpreter: '/usr/bin/python3',
  interpreter_version: '3.11.2',
  runner: 'pytest',
  runner_version: '7.2.1',
};
const OUTPUT = {
  stdout: '',
  stderr: '',
  command: ['python3', '-m', 'pytest'],
  duration: 0.5,
  runner: RUNNER,
};

export const PYTEST_PARAMETERS: TestRunner['parameters'] = new Set([
  'node_ids',
  'markers',
  'keywords',
  'verbosity',
  'failfast',
  'maxfail',
  'show_capture',
  'timeout',
  'path',
  'pattern',
]);

/** A test with an outcome and details of your choice. */
export function createTest(
  node_id: string,
  outcome: TestOutcome,
  details: Partial<TestResult> = {},
): TestResult {
  return {
    node_id,
    outcome,
    duration: 0.01,
    phases: [],
    message: null,
    error_type: null,
    traceback: [],
    causes: [],
    assertion: null,
    captured: [],
    ...details,
  };
}

export function createResult(tests: readonly TestResult[], details: Partial<RunResult> = {}): RunResult {
  const count = (wanted: TestOutcome): number => tests.filter(({ outcome }) => outcome === wanted).length;
  return {
    ...OUTPUT,
    kind: 'result',
    exit_code: count('failed') + count('error') > 0 ? 1 : 0,
    summary: {
      total: tests.length,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      xfailed: count('xfailed'),
      xpassed: count('xpassed'),
      errors: count('error'),
      duration: 0.5,
    },
    tests,
    collection_errors: [],
    warnings: [],
    ...details,
  };
}

export function createError(reason: RunError['reason'], details: Partial<RunError> = {}): RunError {
  return {
    ...createResult([]),
    kind: 'error',
    reason,
    exit_code: -1,
    message: `The run ended: ${reason}.`,
    running: [],
    ...details,
  };
}

export function createDiscovery(ids: readonly string[]): DiscoveryResult {
  const tests = ids.map((node_id, index) => ({
    node_id,
    module: 'test_a',
    class_path: ['TestA', 'TestB'],
    function: 'test_x',
    line: index + 1,
    file: node_id.split('::')[0] ?? '',
  }));
  return { ...OUTPUT, kind: 'result', tests, count: tests.length, collection_errors: [] };
}

type Run = (request: RunRequest, options: RunOptions) => RunResult | RunError | Promise<RunResult | RunError>;

/** A runner without processes. It records the requests. */
export class FakeRunner implements TestRunner {
  readonly name: TestRunner['name'];
  readonly parameters: TestRunner['parameters'];
  readonly requests: (RunRequest | DiscoveryRequest)[] = [];
  onRun: Run = () => createResult([createTest('test_a.py::test_a', 'passed')]);
  onDiscover: () => DiscoveryResult | RunError = () => createDiscovery(['test_a.py::test_a']);

  constructor(name: TestRunner['name'] = 'pytest', parameters = PYTEST_PARAMETERS) {
    this.name = name;
    this.parameters = parameters;
  }

  async run(request: RunRequest, options: RunOptions = {}): Promise<RunResult | RunError> {
    this.requests.push(request);
    return this.onRun(request, options);
  }

  async discover(request: DiscoveryRequest): Promise<DiscoveryResult | RunError> {
    this.requests.push(request);
    return this.onDiscover();
  }
}

/** A run that goes on until it is cancelled. */
export const untilCancelled: Run = async (_, { signal }) => {
  if (signal?.aborted !== true)
    await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
  return createError('cancelled');
};
