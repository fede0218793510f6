import * as z from 'zod';
import type { RunRecord, StoredOutcome, StoredTest } from '../domain/runs/run-record.ts';
import type { CollectionError, RunErrorReason, RunnerVersions } from '../domain/test-run.ts';
import type { TestOutcome } from '../domain/test-run.ts';
import { FIRST_PAGE, PAGE_COUNTS, toPage } from './page.ts';
import type { PageRequest } from './page.ts';
import { shorten } from './shorten.ts';

const MAX_MESSAGE = 1_000;
const MAX_OUTPUT = 4_000;
const MAX_COLLECTION_ERRORS = 20;
const MAX_WARNINGS = 10;

export const OUTCOMES = ['passed', 'failed', 'skipped', 'xfailed', 'xpassed', 'error'] as const;
const REASONS = [
  'interrupted',
  'internal_error',
  'usage_error',
  'ended_early',
  'timeout',
  'cancelled',
  'too_many_events',
] as const satisfies readonly RunErrorReason[];
const COUNT = z.int().min(0);
const SUMMARY = z.object({
  total: COUNT,
  passed: COUNT,
  failed: COUNT,
  skipped: COUNT,
  xfailed: COUNT,
  xpassed: COUNT,
  errors: COUNT,
  duration: z.number().describe('Seconds.'),
});
export const RUNNER = z.object({
  interpreter: z.string(),
  interpreter_version: z.string().nullable(),
  runner: z.string(),
  runner_version: z.string().nullable(),
});
export const COLLECTION_ERROR = z.object({
  node_id: z.string(),
  file: z.string(),
  line: z.int().nullable(),
  type: z.string(),
  message: z.string(),
});

/** Members that every view of a run has. */
export const RUN_STATE = {
  run_id: z.string(),
  status: z.enum(['running', 'completed', 'error', 'cancelled']),
  started_at: z.string(),
  finished_tests: COUNT,
  collected_tests: COUNT.nullable(),
  files_changed: z.boolean().describe('Files have changed since the run began; only with --watch.'),
  exit_code: z.int().nullable(),
  reason: z.enum(REASONS).nullable().describe('The kind of the problem.'),
  problem: z.string().nullable().describe('The reason of status "error" or "cancelled", as a sentence.'),
  summary: SUMMARY.nullable(),
  runner: RUNNER.nullable(),
};

/** A run as tools return it. The whole run is the resource `uri`. */
export const RUN_VIEW = z.object({
  ...RUN_STATE,
  ...PAGE_COUNTS,
  tests: z
    .array(
      z.object({
        node_id: z.string(),
        outcome: z.enum(OUTCOMES),
        duration: z.number(),
        message: z.string().nullable(),
        location: z.string().nullable().describe('file:line of the last frame in the project.'),
      }),
    )
    .describe('Failed tests first.'),
  omitted_tests: COUNT.describe('Tests of the run that are not listed, because it is too large.'),
  collection_errors: z.array(COLLECTION_ERROR),
  collection_error_count: COUNT,
  warnings: z.array(z.string()),
  warning_count: COUNT,
  stdout: z.string(),
  stderr: z.string(),
  uri: z.string().describe('Resource with everything about the run.'),
});

export type RunView = z.infer<typeof RUN_VIEW>;

/** Selects the tests of a view. */
export interface TestSelection extends PageRequest {
  readonly outcomes?: readonly TestOutcome[] | undefined;
}

export function toRunState(run: RunRecord) {
  const { outcome } = run;
  return {
    run_id: run.id,
    status: run.status,
    started_at: new Date(run.startedAt).toISOString(),
    finished_tests: run.finished,
    collected_tests: run.total,
    files_changed: run.filesChanged,
    exit_code: outcome?.exit_code ?? null,
    reason: outcome?.kind === 'error' ? outcome.reason : null,
    problem: run.problem ?? (outcome?.kind === 'error' ? outcome.message : null),
    summary: outcome?.summary ?? null,
    runner: outcome === undefined ? null : showRunner(outcome.runner),
  };
}

/** A run with one page of its tests, in bounded size. */
export function toRunView(run: RunRecord, { outcomes, ...page }: TestSelection = FIRST_PAGE): RunView {
  const all = (run.outcome?.tests ?? []).filter(({ outcome }) => outcomes?.includes(outcome) ?? true);
  const { entries, counts } = toPage(all, page, showTest);
  return {
    ...toRunState(run),
    ...counts,
    tests: entries,
    omitted_tests: run.outcome?.omitted.tests ?? 0,
    ...toEnd(run.outcome),
    uri: `tests://runs/${run.id}`,
  };
}

function toEnd(outcome: StoredOutcome | undefined) {
  const { collection_errors = [], warnings = [], omitted, stdout = '', stderr = '' } = outcome ?? {};
  return {
    collection_errors: showCollectionErrors(collection_errors),
    collection_error_count: collection_errors.length + (omitted?.collection_errors ?? 0),
    warnings: warnings
      .slice(0, MAX_WARNINGS)
      .map(({ file, line, category, message }) => shorten(`${file}:${line}: ${category}: ${message}`, 300)),
    warning_count: warnings.length + (omitted?.warnings ?? 0),
    stdout: shorten(stdout, MAX_OUTPUT),
    stderr: shorten(stderr, MAX_OUTPUT),
  };
}

function showTest({
  node_id,
  outcome,
  duration,
  message = null,
  traceback = [],
}: StoredTest): RunView['tests'][number] {
  const last = traceback.findLast((frame) => frame.in_project);
  return {
    node_id,
    outcome,
    duration: Math.round(duration * 1000) / 1000,
    message: message === null ? null : shorten(message, MAX_MESSAGE),
    location: last === undefined ? null : `${last.file}:${last.line}`,
  };
}

export function showCollectionErrors(errors: readonly CollectionError[]) {
  return errors.slice(0, MAX_COLLECTION_ERRORS).map(({ node_id, file, line, type, message }) => ({
    node_id,
    file,
    line,
    type,
    message: shorten(message, MAX_MESSAGE),
  }));
}

/** Without other members that a runner may add. */
export function showRunner({ interpreter, interpreter_version, runner, runner_version }: RunnerVersions) {
  return { interpreter, interpreter_version, runner, runner_version };
}
