import { createHash } from 'node:crypto';
import { DefinitionError } from '../errors/errors.ts';
import type { McpResource } from '../model/mcp-types.ts';
import type { Enclosure } from '../resources/files/enclosure.ts';
import { isPlainPath } from '../resources/files/enclosure.ts';
import { listFiles, listFolder } from '../resources/files/list-files.ts';
import { typeOfName } from '../resources/files/mime-types.ts';
import { openInside } from '../resources/files/open-inside.ts';
import { readUpTo } from '../resources/files/read-up-to.ts';
import { parseFrontmatter } from './parse-frontmatter.ts';
import type { SkillEntry, SkillFile } from './skill-source.ts';

export const SKILL_FILE = 'SKILL.md';

/** Limits of the extension: hosts may reject more. */
export const MAX_FILES = 512;
export const MAX_BYTES = 16_777_216;

/** A digest, and the file state that it belongs to. */
interface KnownDigest {
  readonly stamp: string;
  readonly digest: string;
}

/** Never aborted: reads are bounded. */
const { signal: NO_SIGNAL } = new AbortController();

/** The folder of one skill. Files may change while it is served. */
export class SkillFolder {
  /** Without a trailing slash. */
  readonly rootUri: string;
  readonly uri: string;
  readonly enclosure: Enclosure;
  readonly #name: string;
  readonly #digests = new Map<string, KnownDigest>();
  /** The entry in progress, shared by concurrent requests. */
  #pending: Promise<SkillEntry> | undefined;

  /** `path`: the path of the skill within its namespace, such as `acme/billing/refunds`. */
  constructor(root: string, path: string) {
    this.#name = path.slice(path.lastIndexOf('/') + 1);
    this.rootUri = `skill://${toUriPath(path)}`;
    this.uri = `${this.rootUri}/${SKILL_FILE}`;
    this.enclosure = { root, showsHidden: false };
  }

  /** The current entry. */
  async read(): Promise<SkillEntry> {
    this.#pending ??= this.#read().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  /** The direct children of a directory; undefined if it does not exist. */
  async listDirectory(uri: string): Promise<readonly McpResource[] | undefined> {
    const path = this.#pathOf(uri);
    if (path === undefined) return undefined;
    const { entries, isFolder, isCut } = await listFolder(this.enclosure, path, NO_SIGNAL);
    if (!isFolder || isCut) return undefined;
    return entries.map((entry): McpResource => {
      const name = entry.path.slice(entry.path.lastIndexOf('/') + 1);
      const mimeType = entry.isFolder ? 'inode/directory' : typeOfName(name, {});
      const child = { uri: `${this.rootUri}/${toUriPath(entry.path)}`, name };
      return mimeType === undefined ? child : { ...child, mimeType };
    });
  }

  async #read(): Promise<SkillEntry> {
    const { paths, isCut } = await listFiles(this.enclosure, { max: MAX_FILES * 2, signal: NO_SIGNAL });
    if (isCut || paths.length > MAX_FILES)
      throw new DefinitionError(`${this.uri} has more than ${MAX_FILES} files, the limit of the extension.`);
    const resources: SkillFile[] = [];
    let left = MAX_BYTES;
    let text: string | undefined;
    for (const path of paths) {
      const file = await this.#readFile(path, left);
      // Deleted since it was listed.
      if (file === undefined) continue;
      left -= file.size;
      if (path === SKILL_FILE) text = file.text;
      resources.push({ uri: `${this.rootUri}/${toUriPath(path)}`, digest: file.digest, size: file.size });
    }
    if (text === undefined) throw new DefinitionError(`${this.uri}: ${SKILL_FILE} no longer exists.`);
    const frontmatter = parseFrontmatter(text, { file: this.uri, folder: this.#name });
    return { uri: this.uri, frontmatter, resources };
  }

  async #readFile(
    path: string,
    maxBytes: number,
  ): Promise<{ digest: string; size: number; text?: string } | undefined> {
    const opened = await openInside(this.enclosure, path);
    if (opened === undefined) return undefined;
    const { file, stats } = opened;
    const isSkill = path === SKILL_FILE;
    try {
      const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
      const known = this.#digests.get(path);
      if (known?.stamp === stamp && !isSkill && stats.size <= maxBytes)
        return { digest: known.digest, size: stats.size };
      const bytes = await readUpTo(file, maxBytes, NO_SIGNAL);
      if (bytes === undefined)
        throw new DefinitionError(
          `${this.uri} has more than ${MAX_BYTES} bytes of files, the limit of the extension.`,
        );
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      this.#digests.set(path, { stamp, digest });
      return { digest, size: bytes.length, ...(isSkill ? { text: bytes.toString('utf8') } : {}) };
    } finally {
      await file.close();
    }
  }

  #pathOf(uri: string): string | undefined {
    if (uri === this.rootUri) return '';
    if (!uri.startsWith(`${this.rootUri}/`)) return undefined;
    try {
      const path = uri
        .slice(this.rootUri.length + 1)
        .split('/')
        .map(decodeURIComponent)
        .join('/');
      return isPlainPath(path, this.enclosure) ? path : undefined;
    } catch {
      return undefined;
    }
  }
}

function toUriPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
