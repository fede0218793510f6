import { joinId, listTests } from './node-ids.mjs';
import { ConsoleOutput } from './output.mjs';

const CRASHED = 'The test did not end: the worker process of its file ended first.';

/** A reporter of vitest that writes one event for each step of a run. Tests that were not asked for have none. */
export class EventReporter {
  /** Ids of the selected tests by task id. */
  #tests = new Map();
  #started = new Set();
  #finished = new Set();
  /** Suites whose errors are those of their tests. */
  #failedSuites = new Set();
  #output = new ConsoleOutput();
  #hasFailed = false;
  #settings;

  /**
   * @param settings.moduleIds {Map<string, string>} Ids of modules by task id.
   * @param settings.isSelected {(item: object) => boolean}
   * @param settings.errors {object} See describe-error.mjs.
   * @param settings.write {(event: string, data: object) => void}
   */
  constructor(settings) {
    this.#settings = settings;
  }

  /** 0: all passed, 1: some failed, 5: no tests. */
  get exitCode() {
    if (this.#hasFailed) return 1;
    return this.#finished.size === 0 ? 5 : 0;
  }

  onTestModuleQueued(testModule) {
    this.#settings.write('file_started', { node_id: this.#getModuleId(testModule) });
  }

  onTestModuleCollected(testModule) {
    const items = listTests(testModule, this.#getModuleId(testModule)).filter(this.#settings.isSelected);
    for (const { test, node_id } of items) this.#tests.set(test.id, node_id);
    this.#settings.write('collected', { total: this.#tests.size });
  }

  onTestCaseReady(test) {
    const node_id = this.#tests.get(test.id);
    if (node_id === undefined || this.#started.has(test.id)) return;
    this.#started.add(test.id);
    this.#settings.write('started', { node_id });
  }

  onTestCaseResult(test) {
    // The worker cancelled it.
    if (test.result().state === 'pending') return;
    const { mode } = test.options;
    if (this.#started.has(test.id) || mode === 'skip' || mode === 'todo') {
      this.#finish(test, { phase: 'call', ...this.#describeResult(test) });
      return;
    }
    const suite = findFailedSuite(test);
    // After the last allowed failure, tests that did not run are not reported.
    if (suite === undefined) return;
    this.#failedSuites.add(suite.id);
    const failure = this.#settings.errors.describeFailure(suite.errors());
    this.#finish(test, { phase: 'setup', outcome: 'failed', ...failure });
  }

  onTestModuleEnd(testModule) {
    this.#settings.write('file_finished', { node_id: this.#getModuleId(testModule) });
  }

  onUserConsoleLog(log) {
    if (this.#tests.has(log.taskId)) this.#output.add(log);
    // Of files and their hooks.
    else process[log.type === 'stderr' ? 'stderr' : 'stdout'].write(log.content);
  }

  onTestRunEnd(testModules, unhandledErrors, reason) {
    for (const testModule of testModules) {
      for (const test of testModule.children.allTests()) {
        if (!this.#finished.has(test.id)) this.#finishLate(test, reason);
      }
      this.onTestModuleEnd(testModule);
      this.reportErrors(testModule);
    }
    for (const error of unhandledErrors) this.#reportUnhandled(error);
  }

  /** Reports errors outside of tests: of the file, and of suites whose tests do not have them. */
  reportErrors(testModule) {
    const suites = [...testModule.children.allSuites()].filter(({ id }) => !this.#failedSuites.has(id));
    for (const task of [testModule, ...suites]) {
      const node_id = [this.#getModuleId(testModule), ...listTitles(task).map((title) => joinId([title]))];
      for (const error of task.errors()) {
        this.#reportError(node_id.join(' > '), error, testModule.moduleId);
      }
    }
  }

  #reportUnhandled(error) {
    const { name, stack, type, message, cause, VITEST_TEST_PATH: path = '' } = error;
    // The cause has the reason for which a worker process ended.
    const texts = [type, message?.replace(/\.$/, ''), cause?.message].filter(Boolean);
    const described = { ...error, name, stack, message: texts.join(': ') };
    this.#reportError(path === '' ? '' : joinId([this.#settings.errors.toFile(path)]), described, path);
  }

  #reportError(node_id, error, path) {
    const { write, errors } = this.#settings;
    this.#hasFailed = true;
    write('collection_error', { node_id, ...errors.describeOutside(error, errors.toFile(path)) });
  }

  /** A test without a result at the end of the run. */
  #finishLate(test, reason) {
    const node_id = this.#tests.get(test.id);
    // vitest can end a run before it reports all results.
    if (test.result().state !== 'pending') this.onTestCaseResult(test);
    else if (reason !== 'interrupted') {
      this.#finish(test, { phase: 'setup', outcome: 'failed', message: CRASHED });
    } else if (this.#started.has(test.id)) this.#settings.write('cancelled', { node_id });
  }

  #finish(test, phase) {
    const node_id = this.#tests.get(test.id);
    if (node_id === undefined || this.#finished.has(test.id)) return;
    this.onTestCaseReady(test);
    this.#finished.add(test.id);
    const captured = this.#output.take(test.id);
    const hasPassed = phase.outcome === 'passed';
    this.#hasFailed ||= phase.outcome === 'failed';
    const duration = (test.diagnostic()?.duration ?? 0) / 1000;
    const rest = { xfail: false, message: null, duration, captured: hasPassed ? [] : captured };
    this.#settings.write('phase', { node_id, ...rest, ...phase });
    this.#settings.write('finished', { node_id });
  }

  #describeResult(test) {
    const { state, errors, note } = test.result();
    if (state === 'failed') return { outcome: 'failed', ...this.#settings.errors.describeFailure(errors) };
    if (state === 'skipped') {
      return { outcome: 'skipped', message: note ?? (test.options.mode === 'todo' ? 'todo' : null) };
    }
    // `test.fails`: the failure was expected.
    return test.options.fails ? { outcome: 'skipped', xfail: true } : { outcome: 'passed' };
  }

  #getModuleId(testModule) {
    const { moduleIds, errors } = this.#settings;
    return moduleIds.get(testModule.id) ?? joinId([errors.toFile(testModule.moduleId)]);
  }
}

/** The suite around a test whose `beforeAll` failed. */
function findFailedSuite(test) {
  for (let suite = test.parent; suite !== undefined; { parent: suite } = suite) {
    if (suite.errors().length > 0) return suite;
  }
  return undefined;
}

/** The titles of a suite and of those around it, the outermost first. */
function listTitles(task) {
  return task.type === 'module' ? [] : [...listTitles(task.parent), task.name];
}
