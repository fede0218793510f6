import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

// The built package, because that is what users run. Another build can be named, to compare a change with what it replaces.
const folder = process.env.TOOLWRIGHT_DIST ?? fileURLToPath(new URL('../dist', import.meta.url));
const entry = `${folder}/index.js`;

if (!existsSync(entry)) {
  console.error(`${entry} is missing: run npm run build first.`);
  process.exit(1);
}

/** @type {typeof import('../dist/index.js')} */
const library = await import(pathToFileURL(entry).href);

export const { createTool, silentLogger, ToolRegistry } = library;

/**
 * The address of a module of the build, given by its source: also of one that is not public.
 *
 * @param {string} source
 */
export function addressOf(source) {
  return pathToFileURL(`${folder}/${source.replace(/\.ts$/, '.js')}`).href;
}
