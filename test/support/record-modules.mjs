/** Loaded with `node --import`: writes the address of every module to the file that MODULES_FILE names, the moment it is loaded. */
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const FILE = process.env.MODULES_FILE;

// Node runs hooks in a thread of their own, which loads this file as well.
if (isMainThread) {
  register(import.meta.url);
  process.once('exit', () => {
    // What CommonJS requires and what Node itself loads passes by the hook.
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
