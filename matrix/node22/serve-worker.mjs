/** Bundles `apps/worker.mjs` and serves it with Miniflare, which runs workerd. Prints the URL; on SIGTERM it closes the server and exits. */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../apps/worker.mjs', import.meta.url))],
  bundle: true,
  format: 'esm',
  write: false,
  conditions: ['workerd', 'worker', 'browser'],
});
const worker = new Miniflare({
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: '2026-07-01',
  host: '127.0.0.1',
  port: 0,
});
console.log(new URL('/mcp', await worker.ready).href);
// Miniflare has a listener of its own, which ends the process with a code that says so.
process.removeAllListeners('SIGTERM').once('SIGTERM', () => void worker.dispose());
