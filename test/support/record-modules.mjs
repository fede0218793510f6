/** Loaded with `node --import`: appends the URL of every module to the file MODULES_FILE when it is loaded. */
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const FILE = process.env.MODULES_FILE;

// Node runs hooks in a separate thread, which loads this file as well.
if (isMainThread) {
  register(import.meta.url);
  process.once('exit', () => {
    // The hook does not see modules that CommonJS requires or that Node itself loads.
    const required = Object.keys(createRequire(import.meta.url).cache).map((path) => `file://${path}`);
    const native = (process.moduleLoadList ?? [])
      .filter((entry) => entry.startsWith('NativeModule '))
      .map((entry) => `node:${entry.slice('NativeModule '.length)}`);
    appendFileSync(FILE, [...required, ...native, ''].join('\n'));
  });
}

export async function load(url, context, nextLoad) {
  appendFileSync(FILE, `${url}\n`);
  return nextLoad(url, context);
}
