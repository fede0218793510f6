import type { TestProject } from 'vitest/node';
import { createScratchFolder } from './dist.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder inside the repository that is removed after the whole run: processes of vitest are ended without the event "exit". */
    readonly scratchOfRun: string;
  }
}

/** Runs once for each project of the vitest configuration. */
export function setup(project: TestProject): () => void {
  const { path, remove } = createScratchFolder();
  project.provide('scratchOfRun', path);
  return remove;
}
