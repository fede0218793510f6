import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What a document is called that has no address. */
export const INLINE_URI = 'inline:/document';

/** A URI without a fragment and without a user's name and password. */
export function bareUri(url: URL): string {
  const bare = new URL(url);
  bare.hash = '';
  bare.username = '';
  bare.password = '';
  return bare.href;
}

/** The address of a text, given as a URI or as a path. */
export function toUri(given: string, cwd: string): string {
  return looksLikeUri(given) ? bareUri(new URL(given)) : pathToFileURL(resolve(cwd, given)).href;
}

/** A scheme of one letter is a drive. */
export function looksLikeUri(text: string): boolean {
  return /^[A-Za-z][\w+.-]+:/.test(text) && URL.canParse(text);
}

/** What a file is called in messages: its path, or its URL without what may be secret. */
export function nameOf(uri: string): string {
  if (uri === INLINE_URI) return 'The document';
  if (!URL.canParse(uri)) return 'A file';
  const url = new URL(uri);
  if (url.protocol === 'file:') return pathOf(url) ?? url.href;
  url.search = '';
  return bareUri(url);
}

/** The path of a `file:` URL; undefined where it names none on this machine. */
export function pathOf(url: URL): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
