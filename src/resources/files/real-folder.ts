import { realpathSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wrongValue } from '../../errors/options/wrong-value.ts';

/** The real path of the `root` option of `owner`. Rejects anything but an existing folder. */
export function realFolder(owner: string, root: unknown): string {
  const path = root instanceof URL ? fileURLToPath(root) : root;
  try {
    const real = realpathSync(path as string);
    // An empty path would resolve to the working directory.
    if (path !== '' && statSync(real).isDirectory()) return real;
  } catch {
    // Rejected below.
  }
  throw wrongValue(owner, { option: 'root', expected: 'the path of an existing folder', value: path });
}
