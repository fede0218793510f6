/** Which documents are looked at, and how they are read: apart from the import, so that it is not judged by itself. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { load as loadYaml } from 'js-yaml';
import { parse } from 'yaml';
import { bundleFiles } from './bundle-files.mjs';

const EXTENSIONS = /\.(?:json|ya?ml)$/i;

/** Files as they are, and what lies in folders and below. */
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

/** A document, or why it is none: `{ root }` or `{ skipped }`. */
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
      // Not everybody agrees on where a text in quotes goes on.
      return loadYaml(own);
    }
  }
}

/** Whether the document says where its API is. One that does not is imported with an address, as its user would do. */
export function hasAddress(root) {
  if (root.swagger !== undefined) return typeof root.host === 'string';
  const items = Object.values(root.paths ?? {});
  const operations = items.flatMap((item) => Object.values(item ?? {}));
  return [root, ...items, ...operations].some((place) =>
    (Array.isArray(place?.servers) ? place.servers : []).some(({ url }) => /^https?:\/\/\w/i.test(url)),
  );
}
