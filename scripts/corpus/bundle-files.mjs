/** Makes one document of several files, for readers that follow references within one. */
import { dirname, resolve } from 'node:path';

const FILES = 'x-files';

/**
 * A document with the files that it refers to under `x-files`, and references that lead there. Files that cannot be read are left alone.
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
      // A reader finds that it leads nowhere.
    }
    return places.get(path);
  };
  // What YAML repeats is one object.
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
