/**
 * Runs or lists the tests of a project with the vitest of the project, and writes one JSON line for each event.
 *
 *     main.mjs SETTINGS [ID...]
 *
 * `SETTINGS` is a JSON object, and each id is a JSON string, so that no value is an option of vitest. Exit codes are those of pytest: 0 (all
 * passed), 1 (some failed), 3 (internal error), 4 (invalid configuration or ids), 5 (no tests).
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix, relative, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createErrorDescriber } from './describe-error.mjs';
import { writeEvent } from './events.mjs';
import { listTests, nameModules } from './node-ids.mjs';
import { EventReporter } from './reporter.mjs';
import { isAt, selectTests } from './select.mjs';

const MAX_MISSING = 20;
const HOOKS = [
  'onTestModuleQueued',
  'onTestModuleCollected',
  'onTestModuleEnd',
  'onTestCaseReady',
  'onTestCaseResult',
  'onTestRunEnd',
  'onUserConsoleLog',
];

/** A problem that the caller can fix. */
class UsageError extends Error {}

/** Loads the vitest of a project, and what else it is made of. */
async function loadVitest({ vitestPackage }) {
  const fromVitest = createRequire(vitestPackage);
  const load = (path) => import(pathToFileURL(path).href);
  const { createVitest, version } = await load(fromVitest.resolve('vitest/node'));
  const { parseErrorStacktrace } = await load(fromVitest.resolve('@vitest/utils/source-map'));
  writeEvent('session', {
    interpreter: process.execPath,
    interpreter_version: process.versions.node,
    runner_version: version,
  });
  return { createVitest, parseStack: parseErrorStacktrace, createMatcher: fromVitest('picomatch') };
}

async function startVitest({ createVitest }, { project, maxfail, command }, listener) {
  // As the command line does.
  process.env.TEST = 'true';
  process.env.VITEST = 'true';
  process.env.NODE_ENV ??= 'test';
  const options = {
    root: project,
    run: true,
    watch: false,
    reporters: [listener],
    coverage: { enabled: false },
    ...(command === 'discover' ? { includeTaskLocation: true } : {}),
    ...(maxfail === undefined ? {} : { bail: maxfail }),
  };
  try {
    return await createVitest('test', options);
  } catch (error) {
    throw new UsageError(`Cannot load the vitest configuration of ${project}: ${error.message}`, {
      cause: error,
    });
  }
}

/** The files of tests in the project folder, in the order of their names. */
async function listSpecifications(vitest, project) {
  const specifications = await vitest.globTestSpecifications();
  return specifications
    .filter(({ moduleId }) => isInProject(moduleId, project))
    .toSorted((first, second) =>
      first.moduleId < second.moduleId ? -1 : Number(first.moduleId > second.moduleId),
    );
}

function isInProject(path, project) {
  try {
    return realpathSync(path).startsWith(project + sep);
  } catch {
    return false;
  }
}

async function run(vitest, reporter, context) {
  const { ids, specifications, keywords, selection, listener } = context;
  let chosen = specifications;
  if (ids.length > 0) {
    const { specifications: found, missing } = await selectTests(ids, {
      ...context,
      vitest,
      startVitest: context.start,
    });
    if (missing.length > 0) throw new UsageError(describeMissing(missing));
    chosen = found;
  }
  for (const specification of chosen) {
    if (keywords !== undefined) specification.testNamePattern = new RegExp(keywords);
    if (specification.testIds !== undefined)
      selection.set(specification.taskId, new Set(specification.testIds));
  }
  for (const hook of HOOKS) listener[hook] = (...values) => reporter[hook](...values);
  if (chosen.length > 0) await vitest.runTestSpecifications(chosen);
  return reporter.exitCode;
}

function describeMissing(missing) {
  const shown = missing.slice(0, MAX_MISSING).map((id) => JSON.stringify(id));
  const more = missing.length > MAX_MISSING ? ` and ${missing.length - MAX_MISSING} more` : '';
  return `No tests found for ${shown.join(', ')}${more}. Discover the tests, and use the node ids of the result.`;
}

async function discover(vitest, reporter, { specifications, moduleIds, path, pattern, project, ...context }) {
  const { createMatcher, errors } = context;
  const place =
    path === undefined ? '' : relative(project, resolve(project, path)).replaceAll(sep, posix.sep);
  // A pattern without a folder matches names, as `python_files` of pytest does.
  const matches =
    pattern === undefined
      ? () => true
      : createMatcher(pattern, { basename: !pattern.includes('/'), dot: true });
  const chosen = specifications.filter(({ moduleId }) => {
    const file = errors.toFile(moduleId).replaceAll(sep, posix.sep);
    return isAt(file, place) && matches(file);
  });
  const { testModules, unhandledErrors } =
    chosen.length === 0 ? { testModules: [], unhandledErrors: [] } : await vitest.collectTests(chosen);
  const byId = new Map(testModules.map((testModule) => [testModule.id, testModule]));
  let total = 0;
  for (const { taskId, moduleId } of chosen) {
    const testModule = byId.get(taskId);
    if (testModule === undefined) continue;
    const file = errors.toFile(moduleId);
    for (const { test, suites, node_id } of listTests(testModule, moduleIds.get(taskId))) {
      const line = test.location?.line ?? null;
      writeEvent('item', { node_id, module: null, class_path: suites, function: test.name, file, line });
      total += 1;
    }
  }
  writeEvent('collected', { total });
  reporter.onTestRunEnd(testModules, unhandledErrors, 'interrupted');
  return reporter.exitCode;
}

async function main(settings, ids) {
  const { project, command, keywords } = settings;
  const loaded = await loadVitest(settings);
  const errors = createErrorDescriber({ project, parseStack: loaded.parseStack });
  const pattern = keywords === undefined ? undefined : new RegExp(keywords);
  const moduleIds = new Map();
  /** Task ids of tests by module, where not the whole module was asked for. */
  const selection = new Map();
  const isSelected = ({ test, suites }) =>
    (selection.get(test.module.id)?.has(test.id) ?? true) &&
    (pattern?.test([...suites, test.name].join(' ')) ?? true);
  const reporter = new EventReporter({ moduleIds, isSelected, errors, write: writeEvent });
  // The methods of the reporter are added when tests run: before, they are only collected.
  const listener = {};
  const start = () => startVitest(loaded, settings, listener);
  const vitest = await start();
  const specifications = await listSpecifications(vitest, project);
  for (const [taskId, id] of nameModules(specifications, errors.toFile)) moduleIds.set(taskId, id);
  const context = { ...settings, ids, specifications, moduleIds, errors, selection, listener, start };
  const exitCode = await (command === 'discover'
    ? discover(vitest, reporter, { ...context, createMatcher: loaded.createMatcher })
    : run(vitest, reporter, context));
  await Promise.race([vitest.close(), delay(vitest.config.teardownTimeout)]);
  return exitCode;
}

const [settings = '{}', ...ids] = process.argv.slice(2);
let exitCode;
try {
  exitCode = await main(
    JSON.parse(settings),
    ids.map((id) => JSON.parse(id)),
  );
} catch (error) {
  exitCode = error instanceof UsageError ? 4 : 3;
  writeEvent('problem', {
    message: error instanceof UsageError ? error.message : `vitest failed: ${error.message}`,
  });
  console.error(error);
}
writeEvent('ended', { exit_code: exitCode });
process.exit(exitCode);
