import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { ProjectMissingError } from './request-errors.ts';

const MAX_PATH = 4_096;

/** Throws `ProjectMissingError`. Without this check, the folder would look like a missing interpreter: the system gives both the same error. */
export function assertProject(project: string): void {
  if (!existsSync(project)) throw new ProjectMissingError(project);
}

/** Checks a path or a node id of a caller, whatever it names. Returns the message of the first problem. */
export function findTextProblem(text: string): string | undefined {
  if (text === '') return 'Expected a path or node id, received an empty string.';
  if (text.length > MAX_PATH) return `Expected at most ${MAX_PATH} characters, received ${text.length}.`;
  if (text.includes('\0')) return 'NUL characters are not allowed.';
  return undefined;
}

/** Checks that a file or folder is in the project. Symbolic links are resolved first: a link in the project can lead out of it. */
export function findPlaceProblem(project: string, path: string): string | undefined {
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
