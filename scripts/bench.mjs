/** `npm run bench`: builds, installs what is compared with (in `bench/` alone) and measures. Arguments are passed on. */
import { join } from 'node:path';
import { assertNode, build, ensureInstalled, root, run } from './steps.mjs';

assertNode();
ensureInstalled();
const folder = join(root, 'bench');
const isReady =
  build().ok && run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder }).ok;
const isDone = isReady && run(process.execPath, ['run.mjs', ...process.argv.slice(2)], { cwd: folder }).ok;
process.exitCode = isDone ? 0 : 1;
