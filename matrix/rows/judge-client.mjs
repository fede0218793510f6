import assert from 'node:assert/strict';
import { startServer } from '../../scripts/server-process.mjs';
import { environment, inMatrix, run } from '../execute.mjs';

const NAMES = { http: 'HTTP', sse: 'SSE', stdio: 'stdio', fetch: 'fetch' };

/** Runs a client in a process of its own. Returns the transports with their revision and the checks that passed. */
export async function judgeClient({ node, script, targets, env }) {
  const printed = await run([node, inMatrix(script), JSON.stringify(targets)], { env });
  const passed = JSON.parse(printed.trim().split('\n').at(-1));
  assert.deepEqual(
    passed.map(({ transport }) => transport),
    Object.keys(targets),
  );
  return passed;
}

/** Starts a server, uses it by its URL, and stops it: it has to end by itself. */
export async function withServer(command, use) {
  const server = await startServer(command, environment());
  let problems = [];
  const result = await use(server.url).finally(async () => (problems = await server.stop()));
  assert.deepEqual(problems, []);
  return result;
}

/** The cells of a row: transports with their revisions, and the checks. */
export function formatChecks(passed) {
  const all = passed[0].checks.join(', ');
  const differing = passed.filter(({ checks }) => checks.join(', ') !== all);
  const less = differing.map(({ transport, revision, checks }) => {
    const missing = passed[0].checks.filter((check) => !checks.includes(check));
    assert.equal(missing.length + checks.length, passed[0].checks.length);
    return `; not over ${NAMES[transport]} ${revision}: ${missing.join(', ')}`;
  });
  const transports = [...new Set(passed.map(({ transport }) => transport))].map((transport) => {
    const revisions = passed.filter((entry) => entry.transport === transport).map(({ revision }) => revision);
    return `${NAMES[transport]} (${revisions.join(', ')})`;
  });
  return { transports: transports.join(', '), checked: `${all}${less.join('')}` };
}
