import { constants } from 'node:os';
import type { DiscoveryResult, RunError, RunErrorReason, RunResult, TestRunner } from '../test-run.ts';
import type { SupervisedResult } from '../process/run-supervised.ts';
import type { EventRecord } from './event-record.ts';
import { toSummary } from './test-result.ts';

/** A process that ended, and the events that it wrote. */
export interface FinishedProcess {
  readonly process: SupervisedResult;
  readonly record: EventRecord;
  readonly command: readonly string[];
  readonly runner: TestRunner['name'];
  readonly interpreter: string;
  readonly timeoutMs: number;
}

/** Failed tests are a result; a run that its runner did not bring to its end is an error. */
export function toRunOutcome(finished: FinishedProcess): RunResult | RunError {
  const problem = findProblem(finished);
  return problem === undefined ? toRunResult(finished) : toRunError(finished, problem);
}

/** Collection errors are part of the result; pytest ends with 2 because of them. */
export function toDiscoveryOutcome(finished: FinishedProcess): DiscoveryResult | RunError {
  const { record } = finished;
  const problem = findProblem(finished);
  const isComplete = problem === 'interrupted' && record.hasEnded && record.collectionErrors.length > 0;
  if (problem !== undefined && !isComplete) return toRunError(finished, problem);
  return {
    kind: 'result',
    tests: record.items,
    count: record.items.length,
    collection_errors: record.collectionErrors,
    ...toOutput(finished),
  };
}

function findProblem({ process, record }: FinishedProcess): RunErrorReason | undefined {
  if (process.endedBy !== undefined) return process.endedBy;
  // A test can end the process with any exit code.
  if (record.running.length > 0) return 'ended_early';
  switch (process.exitCode) {
    case 2:
      return 'interrupted';
    case 3:
      return 'internal_error';
    case 4:
      return 'usage_error';
    default:
      // 0, 1, 5, and codes that projects set. Others are signals.
      return record.hasEnded && process.exitCode < 128 ? undefined : 'ended_early';
  }
}

function toRunResult(finished: FinishedProcess): RunResult {
  const { process, record } = finished;
  return {
    kind: 'result',
    exit_code: process.exitCode,
    summary: toSummary(record.tests, process.duration),
    tests: record.tests,
    collection_errors: record.collectionErrors,
    warnings: record.warnings,
    ...toOutput(finished),
  };
}

function toRunError(finished: FinishedProcess, reason: RunErrorReason): RunError {
  return {
    ...toRunResult(finished),
    kind: 'error',
    reason,
    message: describe(finished, reason),
    running: finished.record.running,
  };
}

function toOutput({ process, record, command, ...finished }: FinishedProcess) {
  const { stdout, stderr, duration } = process;
  const runner = {
    // The path, where the command has only a name.
    interpreter: record.interpreter ?? finished.interpreter,
    interpreter_version: record.interpreterVersion,
    runner: finished.runner,
    runner_version: record.runnerVersion,
  };
  return { stdout, stderr, command, duration, runner };
}

function describe(finished: FinishedProcess, reason: RunErrorReason): string {
  const { process, record, runner, timeoutMs } = finished;
  const [running] = record.running;
  const during = running === undefined ? '' : ` while ${running} was running`;
  switch (reason) {
    case 'timeout':
      return `The run was ended after ${timeoutMs / 1000} s${during}. Raise timeout, or run fewer tests.`;
    case 'cancelled':
      return `The run was cancelled${during}.`;
    case 'too_many_events':
      return `The run was ended: its tests report too much data${during}. Run fewer tests.`;
    case 'ended_early':
      return (
        record.problem ??
        `${runner} ended with ${describeExit(process.exitCode)}${record.hasEnded ? '' : ' before the end of the run'}${during}. See stdout and stderr.`
      );
    case 'interrupted':
      return describeUncollected(finished) ?? `${runner} was interrupted (exit code 2). See stdout.`;
    case 'internal_error':
      return record.problem ?? `${runner} had an internal error (exit code 3). See stdout and stderr.`;
    case 'usage_error':
      return (
        record.problem ??
        describeUncollected(finished) ??
        `${runner} rejected its arguments or its configuration (exit code 4). See stderr.`
      );
  }
}

function describeUncollected({ process, record, runner }: FinishedProcess): string | undefined {
  const { length } = record.collectionErrors;
  if (length === 0) return undefined;
  return `${runner} ran no tests: ${length} collection error${length === 1 ? '' : 's'} (exit code ${process.exitCode}). Fix the files, or run other files.`;
}

function describeExit(code: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return signal === undefined ? `exit code ${code}` : `signal ${signal[0]}`;
}
