import { toolsFrom, ValidationError } from 'toolwright';
import type { AnyToolDefinition, ToolContext } from 'toolwright';
import type * as z from 'zod';
import { runTool } from '../context.ts';
import type { RunContext } from '../context.ts';
import { InvalidRequestError } from '../domain/request-errors.ts';
import { listFailedIds } from '../domain/runs/run-record.ts';
import type { RunRecord } from '../domain/runs/run-record.ts';
import type { TestRuns } from '../domain/runs/test-runs.ts';
import type { RunEvent, RunRequest } from '../domain/test-run.ts';
import { RUN_VIEW } from '../views/run-view.ts';
import { fromDomain } from './domain-errors.ts';
import { createRerunInput, createRunInput } from './parameters.ts';
import type { RunnerParts } from './parameters.ts';
import { toRunResult } from './run-result.ts';

type Context = ToolContext<RunContext>;

export interface RunToolOptions {
  readonly runs: TestRuns;
  readonly runner: RunnerParts;
  /** The longest timeout of a run, in seconds. */
  readonly maxTimeout: number;
}

/** Calls end after ten minutes; tasks and runs in the background go on until the timeout of the run. */
const CALL_MS = 600_000;
/** Time in which the processes of a run are ended. */
const END_MS = 30_000;

/** The tools that run tests. Their schemas have the parameters that the runner honours. */
export function createRunTools({
  runs,
  runner,
  maxTimeout,
}: RunToolOptions): AnyToolDefinition<RunContext>[] {
  const executeInput = createRunInput(runner, maxTimeout);
  const rerunInput = createRerunInput(runner, maxTimeout);
  const shared = {
    outputSchema: RUN_VIEW,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    timeoutMs: CALL_MS,
    task: { support: 'optional', timeoutMs: maxTimeout * 1000 + END_MS },
  } as const;

  class RunTools {
    @runTool({
      ...shared,
      title: 'Run tests',
      description: `Runs tests of the project with ${runner.name} and returns what failed and why. This executes the project's code.`,
      inputSchema: executeInput,
    })
    async execute_tests({ background, ...request }: z.infer<typeof executeInput>, context: Context) {
      return fromDomain(async () => toRunResult(await run(runs, { request, background, context })));
    }

    @runTool({
      ...shared,
      title: 'Run failed tests again',
      description: 'Runs the tests again that failed in a run of yours. Default: in your latest run.',
      inputSchema: rerunInput,
    })
    async rerun_failed({ run_id, background, ...rest }: z.infer<typeof rerunInput>, context: Context) {
      return fromDomain(async () => {
        const before = runs.get(context.owner, run_id);
        const request = { ...rest, node_ids: getFailedIds(before) };
        return toRunResult(await run(runs, { request, background, context }).catch(toRerunError));
      });
    }
  }

  return toolsFrom<RunContext>(new RunTools());
}

interface RunParts {
  readonly request: RunRequest;
  readonly background: boolean;
  readonly context: Context;
}

async function run(runs: TestRuns, { request, background, context }: RunParts): Promise<RunRecord> {
  const { owner, signal } = context;
  if (background) return runs.start(request, { owner });
  return runs.execute(request, {
    owner,
    signal,
    onProgress: (record, event) =>
      void context.progress(record.finished, record.total ?? undefined, describeProgress(record, event)),
  });
}

/** The message is also the status of a task, so it names the run. */
function describeProgress(record: RunRecord, event: RunEvent): string {
  const of = record.total === null ? '' : ` of ${record.total}`;
  return event.type === 'test_finished'
    ? `Run ${record.id}: ${record.finished}${of}, ${event.test.node_id} ${event.test.outcome}`
    : `Run ${record.id}: ${record.total} tests collected`;
}

/** The caller gave the run, not its ids: a test can have ids that are no arguments, and a file can have been removed. */
function toRerunError(error: unknown): never {
  if (!(error instanceof InvalidRequestError)) throw error;
  const issues = error.issues.map(({ path, message }) =>
    path[0] === 'node_ids'
      ? {
          path: ['run_id'],
          message: `The failed tests cannot be selected: ${message} Call execute_tests.`,
        }
      : { path, message },
  );
  throw new InvalidRequestError(issues);
}

function getFailedIds(run: RunRecord): readonly string[] {
  const ids = listFailedIds(run);
  if (ids.length > 0) return ids;
  const message =
    run.status === 'running'
      ? `The run ${run.id} has not ended yet.`
      : `No test failed in the run ${run.id}. Call execute_tests.`;
  throw new ValidationError([{ path: ['run_id'], message }]);
}
