import { ResourcesManager, ToolError } from 'toolwright';
import type { RunContext } from './context.ts';
import type { TestRuns } from './domain/runs/test-runs.ts';
import { fromDomain } from './tools/domain-errors.ts';
import { toTree } from './views/discovery-view.ts';
import { toRunState } from './views/run-view.ts';

export const TREE_URI = 'tests://tree';
export const LAST_RUN_URI = 'tests://runs/last';

/** The URI of a run. */
export function toRunUri(id: string): string {
  return `tests://runs/${id}`;
}

/** The tests of the project, and the runs of a caller. */
export function createResources(runs: TestRuns): ResourcesManager<RunContext> {
  const json = { mimeType: 'application/json' };
  return new ResourcesManager<RunContext>()
    .addResource({
      ...json,
      uri: TREE_URI,
      name: 'tree',
      description: 'All tests of the project by file. Reading it imports the test files.',
      timeoutMs: 600_000,
      contentProvider: async ({ context: { owner, signal } }) => {
        const found = await fromDomain(() => runs.discover({}, { owner, signal }));
        if (found.kind === 'error') throw new ToolError(found.message);
        return JSON.stringify(toTree(found));
      },
    })
    .addResource({
      ...json,
      uriTemplate: 'tests://runs/{id}',
      name: 'run',
      description: 'Everything about a run of yours; "last" is the latest one.',
      contentProvider: ({ variables, context }) => {
        const run = runs.find(context.owner, variables.id);
        if (run === undefined) return null;
        return JSON.stringify({ ...toRunState(run), request: run.request, outcome: run.outcome ?? null });
      },
    });
}
