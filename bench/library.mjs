import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The built package, because that is what users run. Another build can be named, to compare a change with what it replaces. */
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
 * The address of a module of the build, given by its source: also of one that is not public.
 *
 * @param {string} source
 */
export function addressOf(source) {
  return pathToFileURL(find(source.replace(/\.ts$/, '.js'))).href;
}

/** Where a build puts its entries together, users get those; all other modules stand beside them. */
function find(file) {
  const bundled = `${folder}/bundle/${file}`;
  return existsSync(bundled) ? bundled : `${folder}/${file}`;
}
