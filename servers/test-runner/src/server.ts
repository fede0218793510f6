import { createServer, ToolRegistry, toolsFrom } from 'toolwright';
import type { Logger, ToolwrightServer } from 'toolwright';
import { systemClock } from 'toolwright/collaborators';
import type { Clock } from 'toolwright/collaborators';
import { ANONYMOUS, createContext } from './context.ts';
import type { RunContext } from './context.ts';
import { RunStore } from './domain/runs/run-store.ts';
import type { RunStoreLimits } from './domain/runs/run-store.ts';
import { TestRuns } from './domain/runs/test-runs.ts';
import type { TestRunner } from './domain/test-run.ts';
import { createResources, LAST_RUN_URI, toRunUri, TREE_URI } from './resources.ts';
import { createDiscoveryTools } from './tools/discovery-tools.ts';
import { HistoryTools } from './tools/history-tools.ts';
import { createRunTools } from './tools/run-tools.ts';

export const VERSION = '0.1.0';

/** JSON of a result of a tool. The whole run is a resource. */
const MAX_RESULT_BYTES = 400_000;

const INSTRUCTIONS = `Runs the tests of one project. execute_tests returns what failed; explain_failure has the details of one failure;
rerun_failed runs only the failed tests again. Use background: true or a task for runs of more than a minute, then get_run.`;

export interface TestRunnerServerOptions {
  readonly runner: TestRunner;
  /** The longest timeout of a run, in seconds. Default: 3600. */
  readonly maxTimeout?: number;
  /** Test processes at the same time; of one caller, half of them. Default: 4. */
  readonly maxRunning?: number;
  readonly storeLimits?: Partial<RunStoreLimits>;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export interface TestRunnerServer {
  readonly server: ToolwrightServer<RunContext>;
  /** Tells callers that files of the project have changed. */
  readonly notifyFilesChanged: () => void;
  /** Ends all runs and their processes; no run begins any more. */
  readonly endRuns: () => Promise<void>;
}

/** Creates the server of one project. */
export function createTestRunnerServer(options: TestRunnerServerOptions): TestRunnerServer {
  const { runner, maxTimeout = 3_600, maxRunning = 4, clock = systemClock, logger } = options;
  const now = (): number => clock.wallTime?.() ?? clock.now();
  const store = new RunStore(now, options.storeLimits);
  const runs: TestRuns = new TestRuns({
    runner,
    store,
    now,
    maxRunning,
    // A notification reaches all subscribers of its URI, and callers with a key must not see the runs of each other.
    onEnded: ({ id, owner }) => notify([...(owner === ANONYMOUS ? [LAST_RUN_URI] : []), toRunUri(id)]),
  });
  const resources = createResources(runs);
  const notify = (uris: readonly string[]): void => {
    for (const uri of uris) resources.notifyUpdated(uri);
  };
  const tools = new ToolRegistry<RunContext>({
    name: 'tests',
    unknownArguments: 'reject',
    maxResultBytes: MAX_RESULT_BYTES,
  });
  tools.registerAll([
    ...createRunTools({ runs, runner, maxTimeout }),
    ...createDiscoveryTools(runs, runner),
    ...toolsFrom<RunContext>(new HistoryTools(runs)),
  ]);
  const server = createServer({
    name: 'test-runner',
    version: VERSION,
    title: 'Test runs',
    instructions: INSTRUCTIONS,
    clock,
    ...(logger === undefined ? {} : { logger }),
    createContext,
    tools,
    resources,
  });
  return {
    server,
    notifyFilesChanged: () => {
      store.update((run) => ({ ...run, filesChanged: true }));
      notify([TREE_URI, LAST_RUN_URI, ...store.listLast().map(({ id }) => toRunUri(id))]);
    },
    endRuns: () => runs.close(),
  };
}
