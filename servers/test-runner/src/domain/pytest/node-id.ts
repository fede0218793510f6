import { findPlaceProblem, findTextProblem } from '../project-path.ts';

/** Checks a path of a caller. Returns the message of the first problem. */
export function findPathProblem(project: string, path: string): string | undefined {
  return (
    findTextProblem(path) ??
    findOptionProblem(path) ??
    findNameProblem(path) ??
    findPlaceProblem(project, path)
  );
}

/** Checks a node id: the file before the first `::`, which must be in the project, and no option of pytest. */
export function findNodeIdProblem(project: string, id: string): string | undefined {
  const problem = findTextProblem(id) ?? findOptionProblem(id);
  if (problem !== undefined) return problem;
  const [file = ''] = id.split('::', 1);
  // pytest ends the file at the first bracket.
  if (file.includes('['))
    return 'Invalid node id: expected "::" before "[", as in "tests/test_a.py::test_b[1]".';
  return findPlaceProblem(project, file);
}

/** pytest opens the file before these characters, which is not the one that is checked. */
function findNameProblem(path: string): string | undefined {
  return path.includes('::') || path.includes('[')
    ? '"::" and "[" are not allowed in a path: pytest ends the file there. Expected a file or folder.'
    : undefined;
}

/** pytest reads these characters as an option, and as a file with arguments, also after `--`. */
function findOptionProblem(text: string): string | undefined {
  return text.startsWith('-') || text.startsWith('@')
    ? `"${text[0]}" is not allowed as the first character; write "./${text[0]}…" for a file with this name.`
    : undefined;
}
