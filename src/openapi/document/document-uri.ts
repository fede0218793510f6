import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** URI of a document without a location. */
export const INLINE_URI = 'inline:/document';

/** A URI without fragment and credentials. */
export function bareUri(url: URL): string {
  const bare = new URL(url);
  bare.hash = '';
  bare.username = '';
  bare.password = '';
  return bare.href;
}

/** URI of a text, from a URI or a path. */
export function toUri(given: string, cwd: string): string {
  return looksLikeUri(given) ? bareUri(new URL(given)) : pathToFileURL(resolve(cwd, given)).href;
}

/** A scheme of one letter is a drive. */
export function looksLikeUri(text: string): boolean {
  return /^[A-Za-z][\w+.-]+:/.test(text) && URL.canParse(text);
}

/** Name of a file in messages: its path, or its URL without secrets. */
export function nameOf(uri: string): string {
  if (uri === INLINE_URI) return 'The document';
  if (!URL.canParse(uri)) return 'A file';
  const url = new URL(uri);
  if (url.protocol === 'file:') return pathOf(url) ?? url.href;
  url.search = '';
  return bareUri(url);
}

/** The path of a `file:` URL; undefined if it is not on this machine. */
export function pathOf(url: URL): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
