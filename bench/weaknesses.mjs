/**
 * Tests known weaknesses of the official SDK, version 2, with it and with Toolwright: one line each, with the measured result. The SDK has
 * its documented setup; every server is a separate process. The exit code is 1 if Toolwright has a weakness. An argument filters the lines.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { answers } from './weaknesses/cases/answers.mjs';
import { foreignSession } from './weaknesses/cases/foreign-session.mjs';
import { hosts } from './weaknesses/cases/hosts.mjs';
import { shutdown } from './weaknesses/cases/shutdown.mjs';
import { slowReader } from './weaknesses/cases/slow-reader.mjs';
import { stdio } from './weaknesses/cases/stdio.mjs';
import { strayRejection } from './weaknesses/cases/stray-rejection.mjs';
import { ChildServer } from './weaknesses/child-server.mjs';
import { unserialisable } from './weaknesses/cases/unserialisable.mjs';

const SDK = {
  name: 'SDK v2',
  http: { file: 'sdk-http.mjs' },
  signedIn: { file: 'sdk-sessions.mjs' },
  stdio: { file: 'sdk-stdio.mjs' },
};
const OURS = {
  name: 'toolwright',
  http: { file: 'toolwright-http.mjs' },
  signedIn: { file: 'toolwright-http.mjs', args: ['--sign-in'] },
  stdio: { file: 'toolwright-stdio.mjs' },
};
const CASES = [
  ...unserialisable,
  ...slowReader,
  ...shutdown,
  ...strayRejection,
  ...foreignSession,
  ...hosts,
  ...answers,
  ...stdio,
];

/** Timeout of one server for one case, and of the whole run. */
const CASE_MS = 25_000;
const RUN_MS = 170_000;

const only = process.argv[2] ?? '';
const startedAt = performance.now();
let weak = 0;
assertInstalled();
printRow('', SDK.name, OURS.name);
for (const entry of CASES.filter(({ title }) => title.includes(only))) {
  const sdk = await attempt(entry, SDK);
  const ours = await attempt(entry, OURS);
  if (ours.isWeak) weak += 1;
  printRow(entry.title, describe(sdk), describe(ours));
}
console.log(weak === 0 ? '\ntoolwright shows none of them' : `\ntoolwright shows ${weak} of them`);
process.exitCode = weak === 0 ? 0 : 1;

/** Starts the server of a case and runs the case. A server that does not respond is weak. */
async function attempt({ on, run }, side) {
  let server;
  try {
    const limitMs = Math.min(CASE_MS, RUN_MS - (performance.now() - startedAt));
    server = new ChildServer(side[on]);
    const late = wait(Math.max(0, limitMs), undefined, { ref: false }).then(() => {
      throw new Error('timed out');
    });
    return await Promise.race([begin(server, on).then(() => run(server)), late]);
  } catch (error) {
    return { isWeak: true, measured: `failed: ${String(error.message).split('\n')[0]}` };
  } finally {
    await server?.stop();
  }
}

async function begin(server, on) {
  if (on !== 'stdio') await server.listens();
}

function assertInstalled() {
  try {
    import.meta.resolve('@modelcontextprotocol/node');
  } catch {
    console.error('The SDK is not installed: run npm ci --prefix bench first.');
    process.exit(1);
  }
}

function describe({ isWeak, measured }) {
  return `${isWeak ? '✗' : '✓'} ${measured}`;
}

function printRow(title, sdk, ours) {
  console.log(`${title.padEnd(38)}${sdk.padEnd(44)}${ours}`.trimEnd());
}
