/** Runs the tests of the folder in the first argument, as a server would, until the process is killed. The second argument is the runner. */
import { PytestRunner } from '../../src/domain/pytest/pytest-runner.ts';
import { VitestRunner } from '../../src/domain/vitest/vitest-runner.ts';

const [, , project = '', name] = process.argv;
const Runner = name === 'vitest' ? VitestRunner : PytestRunner;
const allowedEnvironment = ['ATTACK_ID', 'ATTACK_PORT'];
const runner = new Runner({
  project,
  environment: process.env,
  allowedEnvironment,
  limits: { graceMs: 100 },
});
await runner.run({});
