/**
 * Node ids of vitest tests: `file > suite > test`, with the file relative to the project folder. Two different tests never have the same id.
 *
 * - A `>` of a title that stands alone gets a backslash, so that it is no separator: `a > b` becomes `a \> b`, and `a \> b` becomes `a \\> b`.
 * - A file that is in several projects of vitest has the project as its first suite: `file > [project] > suite > test`.
 * - Tests of the same title and suite get a number in the order of the file: `test`, `test [2]`.
 */
const SEPARATOR = ' > ';

/** @param {string} title */
export function escapeTitle(title) {
  return title.replaceAll(/(?<=^| )\\*>(?= |$)/g, String.raw`\$&`);
}

/** The inverse of {@link escapeTitle}. */
export function unescapeTitle(text) {
  return text.replaceAll(/(?<=^| )\\(\\*>)(?= |$)/g, '$1');
}

/** @param {readonly string[]} parts */
export function joinId(parts) {
  return parts.map(escapeTitle).join(SEPARATOR);
}

/** The file of an id, and the rest after it, which is empty in the id of a file. */
export function splitId(id) {
  const [file, ...rest] = id.split(SEPARATOR);
  return { file: unescapeTitle(file), rest: rest.map((part) => SEPARATOR + part).join('') };
}

/** Whether an id is that of a suite or file that contains another id. */
export function isInside(id, outer) {
  return id.startsWith(outer + SEPARATOR);
}

/**
 * The tests of a collected module with their ids, and the suites around them.
 *
 * @param testModule {import('vitest/node').TestModule}
 * @param moduleId {string} The id of the module.
 */
export function listTests(testModule, moduleId) {
  const tests = [];
  const used = new Map();
  const visit = (parent, id, suites) => {
    for (const child of parent.children) {
      const childId = id + SEPARATOR + escapeTitle(child.name);
      if (child.type === 'suite') visit(child, childId, [...suites, child.name]);
      else tests.push({ test: child, suites, node_id: takeId(childId, used) });
    }
  };
  visit(testModule, moduleId, []);
  return tests;
}

function takeId(id, used) {
  let number = used.get(id) ?? 1;
  let taken = number === 1 ? id : `${id} [${number}]`;
  while (used.has(taken)) {
    number += 1;
    taken = `${id} [${number}]`;
  }
  used.set(id, number);
  if (taken !== id) used.set(taken, 1);
  return taken;
}

/**
 * The ids of modules by their task ids.
 *
 * @param specifications {readonly import('vitest/node').TestSpecification[]} All of the project.
 * @param toFile {(moduleId: string) => string} The path relative to the project folder.
 */
export function nameModules(specifications, toFile) {
  const counts = new Map();
  for (const { moduleId } of specifications) counts.set(moduleId, (counts.get(moduleId) ?? 0) + 1);
  return new Map(
    specifications.map(({ taskId, moduleId, project, pool }) => {
      const label = `[${project.name}]${pool === 'typescript' ? ' typecheck' : ''}`;
      return [taskId, joinId([toFile(moduleId), ...(counts.get(moduleId) > 1 ? [label] : [])])];
    }),
  );
}
