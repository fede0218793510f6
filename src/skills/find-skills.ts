import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DefinitionError } from '../errors/errors.ts';
import { SKILL_FILE } from './skill-folder.ts';

/** Maximum number of folders searched for skills. */
const MAX_FOLDERS = 10_000;

/** A folder with a SKILL.md, and its path within the namespace. */
export interface FoundSkill {
  readonly folder: string;
  readonly path: string;
}

/** All folders with a SKILL.md, including nested ones, in a fixed order. Hidden folders and links are skipped. */
export function findSkills(root: string): readonly FoundSkill[] {
  const isSkill = existsSync(join(root, SKILL_FILE));
  const found: FoundSkill[] = [];
  // A folder with its own SKILL.md is served under its own name.
  const waiting: FoundSkill[] = [{ folder: root, path: isSkill ? basename(root) : '' }];
  for (let looked = 0; waiting.length > 0; looked += 1) {
    if (looked >= MAX_FOLDERS)
      throw new DefinitionError(
        `directorySkills: ${root} has more than ${MAX_FOLDERS} folders. Choose the folder that holds the skills.`,
        { option: 'root', received: root },
      );
    const { folder, path } = waiting.shift() as FoundSkill;
    if (path !== '' && existsSync(join(folder, SKILL_FILE))) found.push({ folder, path });
    const inner = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => ({ folder: join(folder, name), path: path === '' ? name : `${path}/${name}` }))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1));
    waiting.unshift(...inner);
  }
  return found;
}
