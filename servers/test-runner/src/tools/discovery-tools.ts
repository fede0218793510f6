import { toolsFrom } from 'toolwright';
import type { AnyToolDefinition, ToolContext } from 'toolwright';
import type * as z from 'zod';
import { runTool } from '../context.ts';
import type { RunContext } from '../context.ts';
import type { TestRuns } from '../domain/runs/test-runs.ts';
import { DISCOVERY_VIEW, toDiscoveryView } from '../views/discovery-view.ts';
import { showCollectionErrors, showRunner } from '../views/run-view.ts';
import { shorten } from '../views/shorten.ts';
import { fromDomain } from './domain-errors.ts';
import { createDiscoveryInput } from './parameters.ts';
import type { RunnerParts } from './parameters.ts';
import { toFailure } from './run-result.ts';

const MAX_OUTPUT = 4_000;

/** The tool that lists tests. Its schema has the parameters that the runner honours. */
export function createDiscoveryTools(runs: TestRuns, runner: RunnerParts): AnyToolDefinition<RunContext>[] {
  const inputSchema = createDiscoveryInput(runner);

  class DiscoveryTools {
    @runTool({
      title: 'Find tests',
      description: `Finds the tests of the project with ${runner.name}, without running them. This imports the test files. The resource tests://tree has all tests.`,
      inputSchema,
      outputSchema: DISCOVERY_VIEW,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      timeoutMs: 600_000,
    })
    async discover_tests(
      { limit, offset, ...request }: z.infer<typeof inputSchema>,
      { owner, signal }: ToolContext<RunContext>,
    ) {
      return fromDomain(async () => {
        const found = await runs.discover(request, { owner, signal });
        if (found.kind === 'result') return toDiscoveryView(found, { limit, offset });
        const { exit_code, reason, collection_errors, runner, stdout, stderr } = found;
        return toFailure(found.message, {
          exit_code,
          reason,
          collection_errors: showCollectionErrors(collection_errors),
          collection_error_count: collection_errors.length,
          runner: showRunner(runner),
          stdout: shorten(stdout, MAX_OUTPUT),
          stderr: shorten(stderr, MAX_OUTPUT),
        });
      });
    }
  }

  return toolsFrom<RunContext>(new DiscoveryTools());
}
