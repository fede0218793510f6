/** `npm start`: installs and builds what is missing, then runs the notebook server. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { assertNode, build, ensureInstalled, root } from './steps.mjs';

assertNode();
ensureInstalled({ rootOnly: true });
console.log('Building …');
if (!build({ servers: ['notes'] }).ok) process.exit(1);
const server = spawn(process.execPath, [join(root, 'servers/notes/dist/main.js')], {
  stdio: 'inherit',
  cwd: root,
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => (process.exitCode = code ?? 1));
