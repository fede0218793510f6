/** `npm run test-runner`: installs and builds what is missing, then serves the tests of a project. Only the server writes to standard output: clients read it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertNode, build, ensureInstalled, root } from './steps.mjs';

const main = join(root, 'servers/test-runner/dist/main.js');
assertNode();
ensureInstalled({ rootOnly: true, isQuiet: true });
if (!existsSync(main) && !reported(build({ capture: true, servers: ['test-runner'] }))) process.exit(1);
// npm starts scripts in the root; paths are relative to the folder of the caller.
const cwd = process.env.INIT_CWD ?? process.cwd();
const server = spawn(process.execPath, [main, ...process.argv.slice(2)], { stdio: 'inherit', cwd });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => (process.exitCode = code ?? 1));

function reported({ ok, output }) {
  if (!ok) console.error(output);
  return ok;
}
