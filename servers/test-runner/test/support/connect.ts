import { silentLogger } from 'toolwright';
import { connectTestClient } from 'toolwright/testing';
import type { TestClient } from 'toolwright/testing';
import { onTestFinished } from 'vitest';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { createTestRunnerServer } from '../../src/server.ts';
import type { TestRunnerServerOptions } from '../../src/server.ts';
import { FakeRunner } from './fake-runner.ts';

/** A server with a runner without processes, and a client of it for each caller. */
export function createFakeServer(
  options: Partial<TestRunnerServerOptions> & { readonly runner?: FakeRunner } = {},
) {
  const runner = options.runner ?? new FakeRunner();
  const clock = new FakeClock();
  const tests = createTestRunnerServer({ clock, logger: silentLogger, ...options, runner });
  onTestFinished(async () => {
    await tests.endRuns();
    await tests.server.close();
  });
  const connect = (id?: string): TestClient => {
    const client = connectTestClient(tests.server, id === undefined ? {} : { principal: { id } });
    onTestFinished(() => client.close());
    return client;
  };
  return { ...tests, runner, clock, connect, client: connect() };
}
