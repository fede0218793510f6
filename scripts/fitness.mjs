/** `npm run fitness`: installs and builds what is missing, then serves training data. Only the server writes to standard output: clients read it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertNode, build, ensureInstalled, root } from './steps.mjs';

const main = join(root, 'servers/fitness/dist/main.js');
assertNode();
ensureInstalled({ isQuiet: true });
if (!existsSync(main) && !reported(build({ capture: true, servers: ['fitness'] }))) process.exit(1);
const server = spawn(process.execPath, [main, ...process.argv.slice(2)], { stdio: 'inherit', cwd: root });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => (process.exitCode = code ?? 1));

function reported({ ok, output }) {
  if (!ok) console.error(output);
  return ok;
}
