/** Runs the tests of the folder in the first argument, as a server would, until the process is killed. */
import { PytestRunner } from '../../src/domain/pytest/pytest-runner.ts';

const [, , project = ''] = process.argv;
const allowedEnvironment = ['ATTACK_ID', 'ATTACK_PORT'];
const runner = new PytestRunner({
  project,
  environment: process.env,
  allowedEnvironment,
  limits: { graceMs: 100 },
});
await runner.run({});
