import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import type { RunEvent } from '../../src/domain/test-run.ts';
import type { VitestSettings } from '../../src/domain/vitest/vitest-runner.ts';
import { createMarker, createReporting, isAlive, REPORT } from '../support/processes.ts';
import { createVitestProject, createVitestRunner } from '../support/vitest.ts';

// Each test starts vitest, some several times; a busy machine needs seconds for each.
vi.setConfig({ testTimeout: 120_000 });

const GRACE_MS = 100;

/** JavaScript of functions that tests use against the server. */
const ATTACK = `
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { expect, test } from 'vitest';
const report = (text) => new Promise((resolve) => {
  createConnection({ port: Number(process.env.ATTACK_PORT), host: '127.0.0.1' }).end(text, resolve);
});
const ignoreSignals = () => { for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {}); };
const hang = () => new Promise(() => setInterval(() => {}, 1000));
const IGNORING = "for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => {}); setInterval(() => {}, 1000); console.log('ready');";
/** A process of another session that ignores SIGTERM. */
const survive = (env = process.env) => new Promise((resolve) => {
  const child = spawn(process.execPath, ['-e', IGNORING], { detached: true, env, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.once('data', () => { child.unref(); child.stdout.destroy(); resolve(child.pid); });
});
/** The same, but its parent has ended. */
const orphan = () => new Promise((resolve) => {
  const code = "require('node:child_process').spawn(process.execPath, ['-e', " + JSON.stringify(IGNORING) + "], { detached: true, stdio: 'ignore' }).unref()";
  spawn(process.execPath, ['-e', code], { stdio: 'ignore' }).once('exit', resolve);
});
const getParent = (pid) => Number(/^PPid:\\s+(\\d+)$/m.exec(readFileSync('/proc/' + pid + '/status', 'utf8'))[1]);
`;

/** A runner for one file of tests, whose processes are marked. */
async function createAttack(code: string, settings: Partial<VitestSettings> = {}) {
  const clock = new FakeClock();
  const marker = createMarker();
  const reporting = await createReporting();
  const environment = { ...marker.environment, ATTACK_PORT: reporting.port };
  const project = createVitestProject({
    'a.test.ts': `${ATTACK}\n${code}`,
    'vitest.config.ts': 'export default { test: { testTimeout: 100_000 } };',
  });
  const runner = createVitestRunner(project, {
    environment,
    allowedEnvironment: marker.allowedEnvironment,
    limits: { graceMs: GRACE_MS, ...settings.limits },
    schedule: (callback, delayMs) => clock.schedule(callback, delayMs),
  });
  return { clock, runner, project, environment, reporting, listProcesses: marker.listProcesses };
}

test('a test that hangs and ignores signals is ended by the timeout', async () => {
  // Vitest 4 can lose the report of a start until the next report of the same file that is later than 100 ms: here the end of the other test.
  const { runner, clock, reporting, listProcesses } = await createAttack(
    `test.concurrent('ok', () => new Promise((resolve) => setTimeout(resolve, 500)));
     test.concurrent('hangs', async () => { ignoreSignals(); await survive(); await report('running'); await hang(); });`,
  );
  const reported = reporting.waitForText();
  let run: ReturnType<typeof runner.run> | undefined;
  const finished = await new Promise<string>((resolve) => {
    const onEvent = (event: RunEvent): void => {
      if (event.type === 'test_finished') resolve(event.test.node_id);
    };
    run = runner.run({ timeout: 15 }, { onEvent });
  });
  expect(finished).toBe('a.test.ts > ok');
  await reported;
  clock.advance(14_999);
  expect(listProcesses().length).toBeGreaterThanOrEqual(4);
  clock.advance(1);
  expect(await run).toMatchObject({
    kind: 'error',
    reason: 'timeout',
    exit_code: -1,
    message:
      'The run was ended after 15 s while a.test.ts > hangs was running. Raise timeout, or run fewer tests.',
    summary: { total: 1, passed: 1 },
    running: ['a.test.ts > hangs'],
  });
  expect(listProcesses()).toEqual([]);
});

test.each([
  ['a test', "test('a', () => { writeFileSync('blocked', ''); for (;;); });"],
  ['a file', "writeFileSync('blocked', ''); for (;;);"],
])('%s that blocks its process is ended by the timeout', async (_title, code) => {
  const { runner, project, clock, listProcesses } = await createAttack(code);
  const run = runner.run({ timeout: 6 });
  await expect.poll(() => existsSync(join(project, 'blocked'))).toBe(true);
  clock.advance(6_000);
  // Vitest does not report the start of a test before its process has time for it.
  expect(await run).toMatchObject({ reason: 'timeout', running: [expect.stringMatching(/^a\.test\.ts/)] });
  expect(listProcesses()).toEqual([]);
});

test('cancel during a test ends it and all its processes, in other sessions and with another environment', async () => {
  const { runner, reporting, listProcesses } = await createAttack(
    "test('a', async () => { await survive(); const pid = await survive({}); await report(String(pid)); await hang(); });",
  );
  const controller = new AbortController();
  const reported = reporting.waitForText();
  const run = runner.run({}, { signal: controller.signal });
  const unmarked = Number(await reported);
  expect(isAlive(unmarked)).toBe(true);
  // At least the supervisor, vitest, its worker, and the process in another session.
  expect(listProcesses().length).toBeGreaterThanOrEqual(4);
  controller.abort();
  expect(await run).toMatchObject({ kind: 'error', reason: 'cancelled' });
  expect(isAlive(unmarked)).toBe(false);
  expect(listProcesses()).toEqual([]);
});

test.each(['run', 'discover'] as const)('cancel while a file is imported ends %s', async (method) => {
  const { runner, reporting, listProcesses } = await createAttack(
    "await survive(); await report('collecting'); await hang();",
  );
  const controller = new AbortController();
  const reported = reporting.waitForText();
  const run = runner[method]({}, { signal: controller.signal });
  await reported;
  controller.abort();
  expect(await run).toMatchObject({ kind: 'error', reason: 'cancelled' });
  expect(listProcesses()).toEqual([]);
});

test('cancel before the start runs no test', async () => {
  const { runner, listProcesses } = await createAttack("test('a', hang);");
  const events: unknown[] = [];
  const outcome = await runner.run(
    {},
    { signal: AbortSignal.abort(), onEvent: (event) => events.push(event) },
  );
  expect(outcome).toMatchObject({ kind: 'error', reason: 'cancelled' });
  expect(events).toEqual([]);
  expect(listProcesses()).toEqual([]);
});

test.each([
  ['vitest', 'process.ppid'],
  ['the supervisor', 'getParent(process.ppid)'],
])('a test can kill %s, but not the server', async (_name, target) => {
  const { runner, listProcesses } = await createAttack(
    `test('a', async () => { await survive(); process.kill(${target}, 'SIGKILL'); await hang(); });`,
  );
  expect(await runner.run({})).toMatchObject({ kind: 'error', reason: 'ended_early', exit_code: 137 });
  expect(listProcesses()).toEqual([]);
});

test('processes that a finished run leaves are ended, also in other sessions', async () => {
  const { runner, listProcesses } = await createAttack(
    "test('a', async () => { for (let n = 0; n < 5; n += 1) await survive(); });",
  );
  expect(await runner.run({})).toMatchObject({ kind: 'result', summary: { passed: 1 } });
  expect(listProcesses()).toEqual([]);
});

test('a process that is replaced by its child again and again is ended', async () => {
  const { runner, reporting, listProcesses } = await createAttack(
    `test('a', async () => {
       const child = spawn('python3', ['-c', ${JSON.stringify(`${REPORT}\nhop(False)`)}], { stdio: 'ignore' });
       await new Promise((resolve) => child.once('exit', resolve));
     });`,
  );
  const ended = reporting.waitForEnd();
  expect(await runner.run({})).toMatchObject({ kind: 'result', summary: { passed: 1 } });
  expect(await ended).toBe('');
  expect(listProcesses()).toEqual([]);
});

test('output is bounded, captured or not', async () => {
  const { runner } = await createAttack(
    `test('captured', () => {
       for (let n = 0; n < 20; n += 1) console.log('x'.repeat(1_000_000));
       throw new Error('y'.repeat(1_000_000));
     });
     test('direct', async () => {
       for (let n = 0; n < 20; n += 1) await new Promise((done) => process.stderr.write('z'.repeat(1_000_000), done));
     });`,
  );
  const result = await runner.run({});
  expect(result.summary).toMatchObject({ total: 2, passed: 1, failed: 1 });
  expect(result.stderr.length).toBeLessThan(201_000);
  expect(result.stderr).toContain('bytes omitted');
  const [captured] = result.tests[0]?.captured ?? [];
  expect(captured?.text).toMatch(/^x{8000}\n\[19984020 characters omitted\]\nx{7999}\n$/);
  expect(result.tests[0]?.message?.length).toBeLessThan(17_000);
});

test('a run that reports more events than the limit is ended', async () => {
  const { runner, listProcesses } = await createAttack(
    "for (let n = 0; n < 1000; n += 1) test('t' + n, () => {});",
    { limits: { eventBytes: 50_000 } },
  );
  expect(await runner.run({})).toMatchObject({ kind: 'error', reason: 'too_many_events' });
  expect(listProcesses()).toEqual([]);
});

test('the memory of all processes is bounded', async () => {
  const { runner, listProcesses } = await createAttack(
    `const kept = [];
     test('a', () => new Promise(() => setInterval(() => kept.push(Buffer.alloc(20_000_000, 1)), 20)));`,
    { limits: { memoryBytes: 700_000_000 } },
  );
  expect(await runner.run({})).toMatchObject({
    kind: 'error',
    reason: 'ended_early',
    message:
      'The run was ended: its processes used more than 700 MB of memory. Run fewer tests, or with fewer workers.',
  });
  expect(listProcesses()).toEqual([]);
});

test('nothing is left when the server is killed', async () => {
  const { project, environment, reporting, listProcesses } = await createAttack(
    "test('a', async () => { ignoreSignals(); await survive(); await orphan(); await report('running'); await hang(); });",
  );
  const jiti = join(dirname(createRequire(import.meta.url).resolve('jiti/package.json')), 'lib/jiti-cli.mjs');
  const script = fileURLToPath(new URL('../support/serve.ts', import.meta.url));
  const reported = reporting.waitForText();
  const server = spawn(process.execPath, [jiti, script, project, 'vitest'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: 'inherit',
  });
  await reported;
  // At least the server, the supervisor, vitest, its worker, and the processes in other sessions.
  expect(listProcesses().length).toBeGreaterThanOrEqual(6);
  server.kill('SIGKILL');
  await once(server, 'exit');
  await expect.poll(() => listProcesses()).toEqual([]);
});
