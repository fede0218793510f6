/** Bundles the files of a document into one, for readers that resolve references within one document. */
import { dirname, resolve } from 'node:path';

const FILES = 'x-files';

/**
 * Adds referenced files under `x-files`, and rewrites the references. Files that cannot be read are skipped.
 *
 * @param {object} root
 * @param {string} file of the document
 * @param {(file: string) => unknown} read
 */
export function bundleFiles(root, file, read) {
  const places = new Map([[file, '#']]);
  const files = [];
  const open = (path) => {
    if (places.has(path)) return places.get(path);
    places.set(path, undefined);
    try {
      const content = read(path);
      const place = `#/${FILES}/${files.length}`;
      places.set(path, place);
      files.push(content);
      rewrite(content, path);
    } catch {
      // The reader reports the missing target.
    }
    return places.get(path);
  };
  // YAML aliases are the same object.
  const seen = new Set();
  const rewrite = (node, from) => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    if (typeof node.$ref === 'string') node.$ref = moved(node.$ref, from);
    for (const member of Object.values(node)) rewrite(member, from);
  };
  const moved = (ref, from) => {
    const [path, fragment = ''] = ref.split('#');
    if (/^[a-z]+:/i.test(path)) return ref;
    const place = path === '' ? places.get(from) : open(resolve(dirname(from), path));
    return place === undefined ? ref : `${place}${place === '#' && fragment === '' ? '' : fragment}`;
  };
  rewrite(root, file);
  return files.length === 0 ? root : { ...root, [FILES]: files };
}
