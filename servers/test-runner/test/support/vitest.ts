import { mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { VitestRunner } from '../../src/domain/vitest/vitest-runner.ts';
import type { VitestSettings } from '../../src/domain/vitest/vitest-runner.ts';
import { createProject } from './project.ts';

/** The folder of the vitest that runs these tests. */
const VITEST: string = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));

/** A project in a temporary folder with the vitest of this repository. */
export function createVitestProject(files: Readonly<Record<string, string>>): string {
  const project = createProject(files);
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(VITEST, join(project, 'node_modules', 'vitest'));
  return project;
}

/** A runner without the environment of this process, which is vitest itself. */
export function createVitestRunner(project: string, settings: Partial<VitestSettings> = {}): VitestRunner {
  const { PATH, HOME } = process.env;
  return new VitestRunner({ project, ...settings, environment: { PATH, HOME, ...settings.environment } });
}
