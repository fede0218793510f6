import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ProjectMissingError } from '../src/domain/request-errors.ts';
import { createProject, createRunner } from './support/project.ts';
import { createVitestProject, createVitestRunner } from './support/vitest.ts';

test.each([
  ['pytest', createProject, (project: string) => createRunner('python3', project)],
  ['vitest', createVitestProject, (project: string) => createVitestRunner(project)],
])('a project folder that was removed is an error of %s that names it', async (_name, create, createFor) => {
  const project = create({ 'test_a.py': '', 'a.test.ts': '' });
  const runner = createFor(project);
  rmSync(project, { recursive: true });
  const message = `The project folder ${project} does not exist any more. Restore it, or start the server with another folder.`;
  for (const run of [() => runner.run({}), () => runner.discover({})]) {
    const error: unknown = await run().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProjectMissingError);
    expect(error).toHaveProperty('message', message);
  }
});
