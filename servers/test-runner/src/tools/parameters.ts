import * as z from 'zod';
import type { DiscoveryRequest, RunRequest, TestRunner } from '../domain/test-run.ts';
import { PAGE } from '../views/page.ts';

/** Bounds that the domain enforces too. */
const MAX_TEXT = 4_096;
const MAX_NODE_ID = { pytest: 4_096, vitest: 16_384 } as const;
const MAX_NODE_IDS = 5_000;
const MAX_PATTERN = 256;

/** The parts of a runner that the schemas depend on. */
export type RunnerParts = Pick<TestRunner, 'name' | 'parameters'>;

const WORDS = {
  pytest: {
    node_ids:
      'Tests, classes, files or folders, as in "tests/test_a.py::TestB::test_c[1]". Default: all tests.',
    keywords: 'Only tests whose names match this expression (-k), as in "cart and not slow".',
    maxfail: 'Stop after this number of failures.',
    pattern: 'Names of test files (python_files), as in "test_*.py".',
  },
  vitest: {
    node_ids: 'Tests, suites or files, as in "src/cart.test.ts > Cart > adds". Default: all tests.',
    keywords: 'Only tests whose full names match this regular expression (-t).',
    maxfail: 'Stop after this number of failures (--bail).',
    pattern: 'Names of test files, as in "*.test.ts".',
  },
} as const;

function runShape(name: TestRunner['name'], maxTimeout: number) {
  const words = WORDS[name];
  const text = z.string().min(1).max(MAX_TEXT);
  return {
    node_ids: z
      .array(z.string().min(1).max(MAX_NODE_ID[name]))
      .max(MAX_NODE_IDS)
      .optional()
      .describe(words.node_ids),
    markers: text.optional().describe('Only tests that match this marker expression (-m), as in "not slow".'),
    keywords: text.optional().describe(words.keywords),
    verbosity: z.int().min(-2).max(2).optional().describe('Detail of stdout: -2 to 2. Default: 0.'),
    failfast: z.boolean().optional().describe('Stop after the first failure. Not together with maxfail.'),
    maxfail: z.int().min(1).optional().describe(words.maxfail),
    show_capture: z.boolean().optional().describe('Whether failures show captured output. Default: true.'),
    timeout: z.int().min(1).max(maxTimeout).optional().describe('Seconds until the run is ended.'),
  } satisfies Record<keyof RunRequest, z.ZodType>;
}

function discoveryShape(name: TestRunner['name']) {
  return {
    path: z.string().min(1).max(MAX_TEXT).optional().describe('A file or folder. Default: the project.'),
    pattern: z.string().min(1).max(MAX_PATTERN).optional().describe(WORDS[name].pattern),
  } satisfies Record<keyof DiscoveryRequest, z.ZodType>;
}

/** The parameters of a shape that the runner honours. All are optional, so the type is that of the whole shape. */
function pick<TShape extends Record<string, z.ZodType>>(shape: TShape, { parameters }: RunnerParts): TShape {
  const names: ReadonlySet<string> = parameters;
  return Object.fromEntries(Object.entries(shape).filter(([name]) => names.has(name))) as TShape;
}

const BACKGROUND = {
  background: z
    .boolean()
    .default(false)
    .describe(
      'Return immediately; get_run then has the state and the result. For runs of more than a minute.',
    ),
};

interface Exclusive {
  readonly failfast?: boolean | undefined;
  readonly maxfail?: number | undefined;
}

function refuseBoth({ failfast, maxfail }: Exclusive, context: z.RefinementCtx): void {
  if (failfast === true && maxfail !== undefined)
    context.addIssue({
      code: 'custom',
      path: ['maxfail'],
      message: 'Use either failfast or maxfail, not both.',
    });
}

/** Input of execute_tests. */
export function createRunInput(runner: RunnerParts, maxTimeout: number) {
  return z
    .object({ ...pick(runShape(runner.name, maxTimeout), runner), ...BACKGROUND })
    .superRefine(refuseBoth);
}

/** Input of rerun_failed: without the parameters that select tests. */
export function createRerunInput(runner: RunnerParts, maxTimeout: number) {
  const { node_ids: _, markers: _m, keywords: _k, ...shape } = runShape(runner.name, maxTimeout);
  const run_id = z.string().min(1).max(100).optional().describe('Default: the latest run.');
  return z.object({ run_id, ...pick(shape, runner), ...BACKGROUND }).superRefine(refuseBoth);
}

/** Input of discover_tests. */
export function createDiscoveryInput(runner: RunnerParts) {
  return z.object({ ...pick(discoveryShape(runner.name), runner), ...PAGE });
}
