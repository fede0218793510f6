/**
 * `npm run bench`: builds, installs what is compared with (in `bench/` alone) and measures calls, lists and chains; then counts tokens. Each in a process of its own.
 * `--tokens` only counts. Other arguments are passed on to the measuring.
 */
import { join } from 'node:path';
import { assertNode, build, ensureInstalled, root, run } from './steps.mjs';

assertNode();
ensureInstalled();
const cwd = join(root, 'bench');
const args = process.argv.slice(2);
/** `--rounds` is for the long run alone. */
const chosen = (file) =>
  file === 'run.mjs' ? args : args.filter((arg) => ['--quick', '--check'].includes(arg));
const steps = [
  build,
  () => run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd }),
  ...(args.includes('--tokens')
    ? []
    : ['run.mjs', 'chain.mjs'].map((file) => () => run(process.execPath, [file, ...chosen(file)], { cwd }))),
  () => run(process.execPath, ['tokens.mjs'], { cwd }),
];
process.exitCode = steps.every((step) => step().ok) ? 0 : 1;
