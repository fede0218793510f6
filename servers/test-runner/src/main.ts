import { fileURLToPath } from 'node:url';
import { createLogger } from 'toolwright';
import { apiKeys } from 'toolwright/auth';
import { systemClock } from 'toolwright/collaborators';
import { serveHttp } from 'toolwright/http';
import { formatClientConfig, serveStdio } from 'toolwright/stdio';
import { UnknownRunnerError } from './domain/detect-runner.ts';
import { createRunner } from './runners.ts';
import { createTestRunnerServer } from './server.ts';
import type { TestRunnerServer } from './server.ts';
import { readArguments, toUrl } from './settings/arguments.ts';
import type { Arguments } from './settings/arguments.ts';
import { addKey, readKeys } from './settings/keys.ts';
import { ProjectWatcher } from './watch/project-watcher.ts';

const HELP = `Runs the tests of a project for MCP clients, over standard input and output.
Tests are code: whoever can call the server can run the code of the project with the rights of the server.

Usage: npm run test-runner -- [folder] [options]

  [folder]               The project. Default: a sample project.
  --runner <name>        pytest or vitest. Default: detected.
  --timeout <s>          Timeout of runs that have none. Default: 300.
  --max-timeout <s>      The longest timeout that a call can set. Default: 3600.
  --max-runs <n>         Test processes at the same time; of one caller, half of them. Default: 4.
  --pass-env <name>      A variable of the server that tests get too. Can be repeated.
  --watch                Notify clients when files change.
  --http                 Serve over HTTP instead, on 127.0.0.1.
  --port <port>          Port of --http. Default: 3002; 0 for a free port.
  --keys <file>          With --http: the file of keys. Requests then need a key, and see only their own runs.
  --add-key <id>         Add a caller to the file of --keys, print the key, and exit.
  --host <address>       With --http and --keys: the address to listen on.
  --allow-host <host>    With --host: an allowed Host header. Can be repeated.
  --print-client-config <client>
                         Print how to add the server to a client, and exit.
  --help                 Show this text.

The interpreter of pytest is PYTEST_PYTHON, .venv, venv, VIRTUAL_ENV or python3, in this order.`;

async function main(): Promise<void> {
  const given = readArguments(process.argv.slice(2));
  if (given.help) console.log(HELP);
  else if (given.addKey !== undefined) printNewKey(given.addKey, given.keys);
  else if (given.client !== undefined) printClientConfig(given.client, given);
  else await serve(given);
}

function printNewKey(id: string, file: string | undefined): void {
  if (file === undefined) throw new Error('--add-key needs --keys <file>.');
  const key = addKey(file, id);
  console.log(
    `The key of ${id}, which is shown only now:\n\n  ${key}\n\nSend it as: Authorization: Bearer <key>`,
  );
}

/** Clients start the server in a folder and an environment of their own: paths are absolute, and variables are listed. */
function printClientConfig(client: string, given: Arguments): void {
  const { http, port, keys, folder, options, passEnv } = given;
  if (http && port === 0) throw new Error('--print-client-config needs a fixed port; received --port 0.');
  const { PYTEST_PYTHON, VIRTUAL_ENV } = process.env;
  const env = {
    ...(PYTEST_PYTHON ? { PYTEST_PYTHON } : {}),
    ...(VIRTUAL_ENV ? { VIRTUAL_ENV } : {}),
    ...Object.fromEntries(passEnv.map((name) => [name, `<${name}>`])),
  };
  const command = {
    command: process.execPath,
    args: [fileURLToPath(import.meta.url), folder, ...options],
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
  const reach = http ? { url: toUrl(given) } : command;
  const { where, text } = formatClientConfig(client, { name: 'test-runner', ...reach });
  console.error(where);
  console.log(text);
  if (keys !== undefined)
    console.error(
      'Requests need a key. Add the header "Authorization: Bearer <key>" with the key that --add-key printed.',
    );
}

async function serve(given: Arguments): Promise<void> {
  const runner = createRunner(given.runner, {
    project: given.folder,
    environment: process.env,
    allowedEnvironment: given.passEnv,
    defaultTimeoutSeconds: given.timeout,
    maxTimeoutSeconds: given.maxTimeout,
  });
  const tests = createTestRunnerServer({
    runner,
    maxTimeout: given.maxTimeout,
    maxRunning: given.maxRuns,
    logger: createLogger({ level: 'warning' }),
  });
  const watcher = new ProjectWatcher({
    folder: given.folder,
    onChange: tests.notifyFilesChanged,
    schedule: (callback, delayMs) => systemClock.schedule(callback, delayMs, true),
  });
  if (given.watch) await watcher.start();
  try {
    await (given.http ? serveOverHttp(given, tests) : serveOverStdio(tests));
  } finally {
    watcher.close();
    await tests.server.close();
  }
}

/** Resolves when the client has disconnected, or a signal has arrived, and all processes have ended. */
async function serveOverStdio({ server, endRuns }: TestRunnerServer): Promise<void> {
  const signalled = untilSignal();
  const running = serveStdio(server);
  await Promise.race([running.closed, signalled]);
  // Before the transport is closed, which waits for the results of running calls.
  await endRuns();
  await running.close();
}

async function serveOverHttp(given: Arguments, { server, endRuns }: TestRunnerServer): Promise<void> {
  const { host, port, keys, allowHost, folder } = given;
  // Before the first output, because its reader may send a signal immediately.
  const signalled = untilSignal();
  const running = await serveHttp(server, {
    host,
    port,
    ...(allowHost.length === 0 ? {} : { allowedHosts: [...allowHost] }),
    ...(keys === undefined ? {} : { auth: { verify: apiKeys(readKeys(keys)), resource: toUrl(given) } }),
  });
  console.log(`The tests of ${folder} are served at ${running.url}. Stop with Ctrl+C.`);
  await signalled;
  await endRuns();
  await running.close();
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

try {
  await main();
} catch (error) {
  const advice = error instanceof UnknownRunnerError ? ' Use --runner pytest or --runner vitest.' : '';
  console.error(error instanceof Error ? `${error.message}${advice}` : error);
  process.exitCode = 1;
}
