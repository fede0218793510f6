import { realpathSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wrongValue } from '../../errors/options/wrong-value.ts';

/** The real path of a folder that was given to `owner` as its root. Rejects anything else. */
export function realFolder(owner: string, root: unknown): string {
  const path = root instanceof URL ? fileURLToPath(root) : root;
  try {
    const real = realpathSync(path as string);
    // An empty path is resolved to the working directory.
    if (path !== '' && statSync(real).isDirectory()) return real;
  } catch {
    // Rejected below.
  }
  throw wrongValue(owner, { option: 'root', expected: 'the path of a folder that exists', value: path });
}
