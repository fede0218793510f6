import type { ToolContext } from 'toolwright';
import * as z from 'zod';
import { runTool } from '../context.ts';
import type { RunContext } from '../context.ts';
import { explainFailure } from '../domain/runs/explain-failure.ts';
import type { TestRuns } from '../domain/runs/test-runs.ts';
import type { TestOutcome } from '../domain/test-run.ts';
import { EXPLANATION, toExplanationView } from '../views/explanation-view.ts';
import { PAGE, PAGE_COUNTS, toPage } from '../views/page.ts';
import type { PageRequest } from '../views/page.ts';
import { OUTCOMES, RUN_STATE, RUN_VIEW, toRunState, toRunView } from '../views/run-view.ts';
import { fromDomain } from './domain-errors.ts';

type Context = ToolContext<RunContext>;

const RUN_ID = z.string().min(1).max(100);
const OPTIONAL_RUN_ID = RUN_ID.optional().describe('Default: your latest run.');
const READS = { readOnlyHint: true, openWorldHint: false } as const;

/** The tools for runs that have been started. A caller sees only its own runs. */
export class HistoryTools {
  readonly #runs: TestRuns;

  constructor(runs: TestRuns) {
    this.#runs = runs;
  }

  @runTool({
    title: 'List runs',
    description: 'Lists your runs of the last hour, the latest first.',
    inputSchema: z.object(PAGE),
    outputSchema: z.object({ ...PAGE_COUNTS, runs: z.array(z.object(RUN_STATE)) }),
    annotations: READS,
  })
  list_runs(page: PageRequest, { owner }: Context) {
    const { entries, counts } = toPage(this.#runs.list(owner), page, toRunState);
    return { ...counts, runs: entries };
  }

  @runTool({
    title: 'Get a run',
    description: 'Returns the state of a run and one page of its tests, failed tests first.',
    inputSchema: z.object({
      run_id: OPTIONAL_RUN_ID,
      outcomes: z.array(z.enum(OUTCOMES)).max(6).optional().describe('Only tests with these outcomes.'),
      ...PAGE,
    }),
    outputSchema: RUN_VIEW,
    annotations: READS,
  })
  async get_run(
    {
      run_id,
      ...selection
    }: PageRequest & { run_id?: string | undefined; outcomes?: TestOutcome[] | undefined },
    { owner }: Context,
  ) {
    return fromDomain(() => toRunView(this.#runs.get(owner, run_id), selection));
  }

  @runTool({
    title: 'Cancel a run',
    description: 'Ends a run and all its processes. Has no effect on a run that has ended.',
    inputSchema: z.object({ run_id: RUN_ID }),
    outputSchema: z.object(RUN_STATE),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  })
  async cancel_run({ run_id }: { run_id: string }, { owner }: Context) {
    return fromDomain(async () => toRunState(await this.#runs.cancel(owner, run_id)));
  }

  @runTool({
    title: 'Explain a failure',
    description:
      'Returns why a test failed: the frames of the project, the compared values, the difference, the causes and the output.',
    inputSchema: z.object({
      node_id: z
        .string()
        .min(1)
        .max(16_384)
        .describe('A test that failed, or a file that could not be collected.'),
      run_id: OPTIONAL_RUN_ID,
    }),
    outputSchema: EXPLANATION,
    annotations: READS,
  })
  async explain_failure(
    { node_id, run_id }: { node_id: string; run_id?: string | undefined },
    { owner }: Context,
  ) {
    return fromDomain(() => toExplanationView(explainFailure(this.#runs.get(owner, run_id), node_id)));
  }
}
