/** Finds and parses the documents, independently of the import, which is compared with the result. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { load as loadYaml } from 'js-yaml';
import { parse } from 'yaml';
import { bundleFiles } from './bundle-files.mjs';

const EXTENSIONS = /\.(?:json|ya?ml)$/i;

/** The given files, and all files in the given folders. */
export function findFiles(paths) {
  return paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path, { recursive: true })
      .map(String)
      .filter((name) => EXTENSIONS.test(name) && !name.includes('node_modules'));
    return names
      .sort()
      .map((name) => join(path, name))
      .filter((file) => statSync(file).isFile());
  });
}

/** Reads a document: `{ root }`, or `{ skipped }` with the reason. */
export function readDocument(file) {
  let root;
  try {
    root = parseText(readFileSync(file, 'utf8'));
  } catch (error) {
    return { skipped: `neither JSON nor YAML: ${String(error.message).split('\n')[0]}` };
  }
  const version = root?.openapi ?? root?.swagger;
  if (typeof root !== 'object' || version === undefined)
    return { skipped: 'no OpenAPI document: it has neither "openapi" nor "swagger"' };
  return /^(?:2|3)\b/.test(String(version))
    ? { root: bundleFiles(root, file, (path) => parseText(readFileSync(path, 'utf8'))) }
    : { skipped: `written in version ${String(version)}, which nobody promised to read` };
}

function parseText(text) {
  const own = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(own);
  } catch {
    try {
      return parse(own, { merge: true, maxAliasCount: -1, uniqueKeys: false, logLevel: 'error' });
    } catch {
      // Parsers differ in the continuation of quoted strings.
      return loadYaml(own);
    }
  }
}

/** Whether the document has a usable server URL. Without one, it is imported with a base URL. */
export function hasAddress(root) {
  if (root.swagger !== undefined) return typeof root.host === 'string';
  const items = Object.values(root.paths ?? {});
  const operations = items.flatMap((item) => Object.values(item ?? {}));
  return [root, ...items, ...operations].some((place) =>
    (Array.isArray(place?.servers) ? place.servers : []).some(({ url }) => /^https?:\/\/\w/i.test(url)),
  );
}
