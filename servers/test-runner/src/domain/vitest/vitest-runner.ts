import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EventRecord } from '../events/event-record.ts';
import { toDiscoveryOutcome, toRunOutcome } from '../events/run-outcome.ts';
import type { FinishedProcess } from '../events/run-outcome.ts';
import { createChildEnvironment } from '../process/child-environment.ts';
import { PROCESS_LIMITS, runSupervised, systemSchedule } from '../process/run-supervised.ts';
import type { ProcessLimits, Schedule } from '../process/run-supervised.ts';
import { assertProject } from '../project-path.ts';
import type { DiscoveryRequest, RunOptions, RunRequest, TestRunner } from '../test-run.ts';
import { findVitest } from './find-vitest.ts';
import { assertDiscoveryRequest, assertRunRequest, VITEST_PARAMETERS } from './vitest-arguments.ts';

/** The same relative path from `src/` and from `dist/`. */
const MAIN = fileURLToPath(new URL('../../../node/vitest/main.mjs', import.meta.url));

export interface VitestSettings {
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

/** A command for `node/vitest/main.mjs`. */
type MainSettings =
  | ({ readonly command: 'run' } & Pick<RunRequest, 'keywords' | 'maxfail'>)
  | ({ readonly command: 'discover' } & DiscoveryRequest);

/** Runs the tests of one project with the vitest of the project, each run in a process of its own, with the Node of this process. */
export class VitestRunner implements TestRunner {
  readonly name = 'vitest';
  readonly parameters = VITEST_PARAMETERS;
  readonly #settings: Required<VitestSettings>;
  readonly #limits: ProcessLimits;

  constructor(settings: VitestSettings) {
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
    assertRunRequest(request, this.#settings);
    const { keywords, maxfail, timeout, node_ids = [] } = request;
    const main = this.#toCommand({ command: 'run', keywords, maxfail }, node_ids);
    return toRunOutcome(await this.#runVitest(main, { ...options, timeout }));
  }

  async discover(request: DiscoveryRequest, options: Pick<RunOptions, 'signal'> = {}) {
    assertProject(this.#settings.project);
    assertDiscoveryRequest(request, this.#settings);
    const { path, pattern } = request;
    return toDiscoveryOutcome(
      await this.#runVitest(this.#toCommand({ command: 'discover', path, pattern }), options),
    );
  }

  #toCommand(settings: MainSettings, ids: readonly string[] = []): readonly string[] {
    const { project } = this.#settings;
    const { manifest: vitestPackage } = findVitest(project);
    const values = [{ ...settings, project, vitestPackage }, ...ids];
    return [MAIN, ...values.map((value) => JSON.stringify(value))];
  }

  async #runVitest(
    args: readonly string[],
    { signal, onEvent, timeout }: RunOptions & Pick<RunRequest, 'timeout'>,
  ): Promise<FinishedProcess> {
    const { project, environment, allowedEnvironment, defaultTimeoutSeconds, schedule } = this.#settings;
    const timeoutMs = (timeout ?? defaultTimeoutSeconds) * 1000;
    const record = new EventRecord(onEvent);
    const interpreter = process.execPath;
    const finished = await runSupervised({
      language: 'node',
      interpreter,
      args,
      cwd: project,
      // No colors: messages and differences are data.
      env: { NO_COLOR: '1', ...createChildEnvironment(environment, allowedEnvironment) },
      timeoutMs,
      limits: this.#limits,
      schedule,
      signal,
      onLine: record.addLine,
    });
    return {
      process: finished,
      record,
      command: [interpreter, ...args],
      runner: this.name,
      interpreter,
      timeoutMs,
    };
  }
}
