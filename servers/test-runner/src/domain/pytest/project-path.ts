import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

const MAX_PATH = 4_096;

/** Checks a path of a caller. Returns the message of the first problem. */
export function findPathProblem(project: string, path: string): string | undefined {
  return findTextProblem(path) ?? findPlaceProblem(project, path);
}

/** Checks a node id: the file before the first `::`, which must be in the project, and no option of pytest. */
export function findNodeIdProblem(project: string, id: string): string | undefined {
  const problem = findTextProblem(id);
  if (problem !== undefined) return problem;
  const [file = ''] = id.split('::', 1);
  // pytest ends the file at the first bracket.
  if (file.includes('['))
    return 'Invalid node id: expected "::" before "[", as in "tests/test_a.py::test_b[1]".';
  return findPlaceProblem(project, file);
}

function findTextProblem(text: string): string | undefined {
  if (text === '') return 'Expected a path or node id, received an empty string.';
  if (text.length > MAX_PATH) return `Expected at most ${MAX_PATH} characters, received ${text.length}.`;
  if (text.includes('\0')) return 'NUL characters are not allowed.';
  // pytest would read them as an option, and as a file with arguments, also after `--`.
  if (text.startsWith('-') || text.startsWith('@')) {
    return `"${text[0]}" is not allowed as the first character; write "./${text[0]}…" for a file with this name.`;
  }
  return undefined;
}

/** Symbolic links are resolved first: a link in the project can lead out of it. */
function findPlaceProblem(project: string, path: string): string | undefined {
  let real: string;
  try {
    real = realpathSync(resolve(project, path));
  } catch {
    return `No such file or folder in the project: "${path}".`;
  }
  const place = relative(project, real);
  const isOutside = place === '..' || place.startsWith(`..${sep}`) || isAbsolute(place);
  return isOutside ? `"${path}" is outside of the project folder.` : undefined;
}
