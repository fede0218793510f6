import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The built package, because users run it. `TOOLWRIGHT_DIST` names another build, to compare a change with its predecessor. */
export const folder = process.env.TOOLWRIGHT_DIST ?? fileURLToPath(new URL('../dist', import.meta.url));
const entry = find('index.js');

if (!existsSync(entry)) {
  console.error(`${entry} is missing: run npm run build first.`);
  process.exit(1);
}

/** @type {typeof import('../dist/index.js')} */
const library = await import(pathToFileURL(entry).href);

export const { createServer, createTool, silentLogger, ToolRegistry } = library;

/**
 * The URL of a module of the build, by its source; also of a private one.
 *
 * @param {string} source
 */
export function addressOf(source) {
  return pathToFileURL(find(source.replace(/\.ts$/, '.js'))).href;
}

/** Users get the bundled entries, if the build has bundles; all other modules are beside them. */
function find(file) {
  const bundled = `${folder}/bundle/${file}`;
  return existsSync(bundled) ? bundled : `${folder}/${file}`;
}
