import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { environment, inMatrix, lockedVersion, NODES, nodeVersion } from '../execute.mjs';
import { formatChecks, judgeClient, withServer } from './judge-client.mjs';

const script = 'clients/official-2.mjs';
const node = process.execPath;

/** Serves over HTTP; the official client calls it in the newest revision and, with a session, in an earlier one. The server must end well. */
function judgeHttp(transport, command, legacy = {}) {
  return withServer(command, async (url) => {
    const passed = [];
    for (const env of [{ MATRIX_ERA: 'auto' }, { MATRIX_ERA: 'legacy', ...legacy }]) {
      const [result] = await judgeClient({ node, script, targets: { http: url }, env });
      passed.push({ ...result, transport });
    }
    return passed;
  });
}

/** Serves on standard input and output. The server must end by itself when the client closes its input. */
async function judgeStdio(command) {
  const file = join(environment().HOME, 'exit-code');
  rmSync(file, { force: true });
  const passed = await judgeClient({ node, script, targets: { stdio: command }, env: { MATRIX_EXIT: file } });
  assert.equal(readFileSync(file, 'utf8'), '0');
  return passed;
}

const app = (file) => inMatrix('apps', file);

/** One row: how the runtime runs a file, and the file that puts the fetch handler behind its own server, where it has one. */
const runtime = (name, { folder = '.', of, command, fetch }) => ({
  name,
  folder,
  of,
  under: 'itself',
  run: async () => {
    const passed = [
      ...(await judgeHttp('http', [...command, app('serve-http.mjs')])),
      ...(await judgeStdio([...command, app('serve-stdio.mjs')])),
      ...(fetch === undefined ? [] : await judgeHttp('fetch', [...command, app(fetch)])),
    ];
    return withClosing(formatChecks(passed));
  },
});

/** The Worker has no sessions, so earlier revisions cannot be asked: see "Without sessions" in docs/http.md. */
const workerd = {
  name: 'workerd',
  folder: 'node22',
  of: 'workerd',
  under: `Miniflare ${lockedVersion('node22', 'miniflare')}, Node ${nodeVersion('node22')}`,
  run: async () => {
    const command = [NODES.node22, inMatrix('node22/serve-worker.mjs')];
    return withClosing(formatChecks(await judgeHttp('fetch', command, { MATRIX_ASKS: 'no' })));
  },
};

const withClosing = (cells) => ({ ...cells, checked: `${cells.checked}; the server exits` });

const deno = [
  inMatrix('node_modules/.bin/deno'),
  'run',
  '--no-lock',
  '--allow-net=127.0.0.1',
  '--allow-env',
  '--allow-read',
  '--allow-write',
];

export const RUNTIMES = [
  runtime('Node 20', { command: [node] }),
  runtime('Node 22', { folder: 'node22', of: 'node', command: [NODES.node22] }),
  runtime('Node 24', { folder: 'node24', of: 'node', command: [NODES.node24] }),
  runtime('Bun', { of: 'bun', command: [inMatrix('node_modules/.bin/bun')], fetch: 'serve-fetch-bun.mjs' }),
  runtime('Deno', { of: 'deno', command: deno, fetch: 'serve-fetch-deno.mjs' }),
  workerd,
];
