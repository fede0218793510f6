import { realpathSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createChildEnvironment } from '../process/child-environment.ts';
import { EventRecord } from '../events/event-record.ts';
import { toDiscoveryOutcome, toRunOutcome } from '../events/run-outcome.ts';
import type { FinishedProcess } from '../events/run-outcome.ts';
import { EVENTS_FD, PROCESS_LIMITS, runSupervised, systemSchedule } from '../process/run-supervised.ts';
import type { ProcessLimits, Schedule } from '../process/run-supervised.ts';
import { assertProject } from '../project-path.ts';
import type { DiscoveryRequest, RunOptions, RunRequest, TestRunner } from '../test-run.ts';
import { assertPytest, findInterpreter, toInterpreterError } from './interpreter.ts';
import { toDiscoveryArguments, toRunArguments } from './pytest-arguments.ts';

/** The same relative path from `src/` and from `dist/`. The folder has only the plugin, because tests can import what is in it. */
const PLUGIN_FOLDER = fileURLToPath(new URL('../../../python/plugin', import.meta.url));
const PLUGIN = '_test_run_events';

export interface PytestSettings {
  /** The project folder. */
  readonly project: string;
  /** The environment of the server. */
  readonly environment: NodeJS.ProcessEnv;
  /** Names of variables that tests get besides PATH, HOME, LANG and TMPDIR. Default: none. */
  readonly allowedEnvironment?: readonly string[];
  /** Default: 300. */
  readonly defaultTimeoutSeconds?: number;
  /** Default: 3600. */
  readonly maxTimeoutSeconds?: number;
  readonly limits?: Partial<ProcessLimits>;
  /** For timeouts. Default: the clock of the system. */
  readonly schedule?: Schedule;
}

/** Runs the tests of one project with pytest, each run in a process of its own. */
export class PytestRunner implements TestRunner {
  readonly name = 'pytest';
  readonly parameters: TestRunner['parameters'] = new Set([
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
  readonly #settings: Required<PytestSettings>;
  readonly #limits: ProcessLimits;

  constructor(settings: PytestSettings) {
    this.#settings = {
      allowedEnvironment: [],
      defaultTimeoutSeconds: 300,
      maxTimeoutSeconds: 3_600,
      limits: {},
      schedule: systemSchedule,
      ...settings,
      project: realpathSync(settings.project),
    };
    this.#limits = { ...PROCESS_LIMITS, ...settings.limits };
  }

  async run(request: RunRequest, options: RunOptions = {}) {
    assertProject(this.#settings.project);
    const args = toRunArguments(request, this.#settings);
    return toRunOutcome(await this.#runPytest(args, { ...options, timeout: request.timeout }));
  }

  async discover(request: DiscoveryRequest, options: Pick<RunOptions, 'signal'> = {}) {
    assertProject(this.#settings.project);
    const args = toDiscoveryArguments(request, this.#settings);
    return toDiscoveryOutcome(await this.#runPytest(args, options));
  }

  async #runPytest(
    args: readonly string[],
    { signal, onEvent, timeout }: RunOptions & Pick<RunRequest, 'timeout'>,
  ): Promise<FinishedProcess> {
    const { project, environment, defaultTimeoutSeconds, schedule } = this.#settings;
    const python = findInterpreter(project, environment);
    // Ids are relative to the root folder, so it must be the folder that ids in requests are relative to.
    const pytest = ['-m', 'pytest', '-p', PLUGIN, `--rootdir=${project}`, '--color=no', ...args];
    const timeoutMs = (timeout ?? defaultTimeoutSeconds) * 1000;
    const record = new EventRecord(onEvent);
    const command = {
      language: 'python',
      interpreter: python,
      cwd: project,
      env: this.#toEnvironment(),
      timeoutMs,
      limits: this.#limits,
      schedule,
      signal,
    } as const;
    const process = await runSupervised({ ...command, args: pytest, onLine: record.addLine }).catch(
      (error) => {
        throw toInterpreterError(python, error);
      },
    );
    if (record.runnerVersion === null && process.endedBy === undefined) await assertPytest(command);
    return {
      process,
      record,
      command: [python, ...pytest],
      runner: this.name,
      interpreter: python,
      timeoutMs,
    };
  }

  #toEnvironment(): Record<string, string> {
    const { environment, allowedEnvironment } = this.#settings;
    const allowed = createChildEnvironment(environment, allowedEnvironment);
    const path = [PLUGIN_FOLDER, ...(allowed['PYTHONPATH'] ? [allowed['PYTHONPATH']] : [])];
    return { ...allowed, PYTHONPATH: path.join(delimiter), TEST_RUN_EVENTS_FD: String(EVENTS_FD) };
  }
}
