import { spawn } from 'node:child_process';
import { copyFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { installDebianPackages } from './support/debian.ts';
import { createProject } from './support/project.ts';

await installDebianPackages(['python3-pytest']);

const PYTHON = '/usr/bin/python3';
const SUPERVISORS = ['python/supervise.py', 'node/supervise.mjs'];
/** More than other processes of the user start in the meantime. */
const LIMIT = 200;
/** The superuser is not subject to the limit, so another user runs the supervisor. */
const user = process.getuid?.() === 0 ? { uid: 54_321, gid: 54_321 } : {};

/** Starts threads until the system allows no more. */
const START_THREADS = `
import sys, threading
end = threading.Event()
count = 0
try:
    while count < ${2 * LIMIT}:
        threading.Thread(target=end.wait).start()
        count += 1
except RuntimeError:
    pass
print(count, flush=True)
if "wait" in sys.argv:
    sys.stdin.read()
end.set()
`;

test.each(SUPERVISORS)('%s limits the processes of a run, not those of the user', async (supervisor) => {
  const folder = createProject({
    'threads.py': START_THREADS,
    'threads.mjs':
      "import { spawnSync } from 'node:child_process';\n" +
      `process.stdout.write(spawnSync('${PYTHON}', ['threads.py']).stdout);`,
  });
  chmodSync(folder, 0o755);
  const name = supervisor.replace(/.*\//, '');
  copyFileSync(fileURLToPath(new URL(`../${supervisor}`, import.meta.url)), join(folder, name));
  const options = { cwd: folder, env: {}, ...user };
  const others = spawn(PYTHON, ['threads.py', 'wait'], options);
  try {
    await new Promise((resolve) => others.stdout.once('data', resolve));
    const [program, command] = name.endsWith('.py')
      ? [PYTHON, 'threads.py']
      : [process.execPath, 'threads.mjs'];
    const args = [name, '1', String(8 * 1024 ** 3), String(LIMIT), command];
    const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'inherit', 'ignore'] });
    const started = Number(await text(child.stdout as Readable));
    expect(started).toBeGreaterThan(LIMIT / 2);
    expect(started).toBeLessThan(LIMIT + LIMIT / 2);
  } finally {
    others.stdin.end();
  }
});
