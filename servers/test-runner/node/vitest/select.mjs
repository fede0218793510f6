import { posix, relative, resolve, sep } from 'node:path';
import { isInside, joinId, listTests, splitId } from './node-ids.mjs';

/**
 * Finds what node ids name: a test; otherwise the suite, file or folder.
 *
 * @param ids {readonly string[]}
 * @param context.vitest {import('vitest/node').Vitest}
 * @param context.startVitest {() => Promise<import('vitest/node').Vitest>} Starts another instance.
 * @param context.specifications {readonly import('vitest/node').TestSpecification[]}
 * @param context.moduleIds {Map<string, string>} Ids of modules by task id.
 * @param context.project {string} Real path of the project folder.
 * @returns Specifications, those of single tests with `testIds`; and the ids that name nothing.
 */
export async function selectTests(ids, context) {
  const { specifications, project } = context;
  const asked = ids.map((id) => toRequest(id, project));
  const chosen = new Map();
  const missing = [];
  const detailed = specifications.filter((specification) =>
    asked.some(({ file, rest }) => rest !== '' && file === toFile(specification)),
  );
  const items = detailed.length === 0 ? [] : await collect(detailed, context);
  for (const { id, file, rest } of asked) {
    const found = rest === '' ? findModules(file) : findTests(file, rest);
    if (found.length === 0) missing.push(id);
    for (const [specification, testIds] of found) {
      const before = chosen.has(specification) ? chosen.get(specification) : [];
      // The whole module, if it is asked for.
      const isWhole = testIds === undefined || before === undefined;
      chosen.set(specification, isWhole ? undefined : [...before, ...testIds]);
    }
  }
  for (const [specification, testIds] of chosen) specification.testIds = testIds;
  return { specifications: [...chosen.keys()], missing };

  function toFile({ moduleId }) {
    return relative(project, moduleId).replaceAll(sep, posix.sep);
  }

  function findModules(file) {
    return specifications
      .filter((specification) => isAt(toFile(specification), file))
      .map((specification) => [specification, undefined]);
  }

  function findTests(file, rest) {
    const id = joinId([file]) + rest;
    const exact = items.filter(({ node_id }) => node_id === id);
    const found = exact.length > 0 ? exact : items.filter(({ node_id }) => isInside(node_id, id));
    return found.map(({ specification, test }) => [specification, [test.id]]);
  }
}

/** Collects modules, which imports them, because the tests of a module are not known before. */
async function collect(specifications, { vitest, startVitest, moduleIds }) {
  const testModules = specifications.some(({ pool }) => pool === 'typescript')
    ? await collectApart(specifications, startVitest)
    : (await vitest.collectTests(specifications)).testModules;
  const modules = new Map(testModules.map((testModule) => [testModule.id, testModule]));
  return specifications.flatMap((specification) => {
    const testModule = modules.get(specification.taskId);
    const tests = testModule === undefined ? [] : listTests(testModule, moduleIds.get(specification.taskId));
    return tests.map((item) => ({ ...item, specification }));
  });
}

/** The compiler of type tests works only once in an instance of vitest. */
async function collectApart(specifications, startVitest) {
  const vitest = await startVitest();
  try {
    const taskIds = new Set(specifications.map(({ taskId }) => taskId));
    const own = (await vitest.globTestSpecifications()).filter(({ taskId }) => taskIds.has(taskId));
    return (await vitest.collectTests(own)).testModules;
  } finally {
    await vitest.close();
  }
}

function toRequest(id, project) {
  const { file, rest } = splitId(id);
  return { id, file: relative(project, resolve(project, file)).replaceAll(sep, posix.sep), rest };
}

/** Whether a file is the given file, or in the given folder. */
export function isAt(file, place) {
  return place === '' || file === place || file.startsWith(`${place}/`);
}
