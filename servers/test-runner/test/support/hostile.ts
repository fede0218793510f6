import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a folder with a project and its neighbours. */
export const HOSTILE_FILES: Readonly<Record<string, string>> = {
  'project/tests/test_a.py': '',
  'project/-x.py': '',
  'project/@args': '--version',
  'secret/test_s.py': '',
  'project-2/test_b.py': '',
};

/** Adds links that lead out of the project. Returns the project. */
export function addHostileLinks(outer: string): string {
  const project = join(outer, 'project');
  symlinkSync(join(outer, 'secret'), join(project, 'link'));
  symlinkSync('/etc', join(project, 'tests', 'etc'));
  symlinkSync(join(project, 'tests'), join(project, 'inside'));
  return project;
}

const FLAG = 'is not allowed as the first character';
const OUTSIDE = 'is outside of the project folder.';
const MISSING = 'No such file or folder in the project';

/** Node ids and paths of an attacker, and the message for each; `ok` for those that are harmless. */
export const HOSTILE: readonly (readonly [string, string])[] = [
  ['--version', FLAG],
  ['-pno:terminal', FLAG],
  ['-p', FLAG],
  ['-c/etc/passwd', FLAG],
  ['--rootdir=/', FLAG],
  ['--override-ini=addopts=x', FLAG],
  ['-', FLAG],
  ['--', FLAG],
  ['-x.py', FLAG],
  ['-x.py::test_a', FLAG],
  ['@args', FLAG],
  ['@/etc/passwd', FLAG],
  ['..', OUTSIDE],
  ['../secret/test_s.py', OUTSIDE],
  ['tests/../../secret/test_s.py::test_s', OUTSIDE],
  ['../project-2/test_b.py', OUTSIDE],
  ['/', OUTSIDE],
  ['/etc/passwd', OUTSIDE],
  ['/etc/passwd::x', OUTSIDE],
  ['link/test_s.py', OUTSIDE],
  ['link', OUTSIDE],
  ['tests/etc/passwd', OUTSIDE],
  ['inside/etc/passwd', OUTSIDE],
  ['tests/test_a.py\0', 'NUL characters are not allowed.'],
  ['tests/test_a.py::a\0--version', 'NUL characters are not allowed.'],
  ['', 'received an empty string'],
  ['tests/missing.py', MISSING],
  ['::test_a\n', 'ok'],
  ['file:///etc/passwd', MISSING],
  ['~/x.py', MISSING],
  ['$HOME/x.py', MISSING],
  [`tests/${'a'.repeat(5_000)}`, 'Expected at most 4096 characters, received 5006.'],
];
