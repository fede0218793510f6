import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMap, isPair, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { DefinitionError, MissingPeerError } from '../errors/errors.ts';
import { ConfigError } from './config-error.ts';
import type { ConfigMistake } from './config-error.ts';
import { findJsonMistake } from './json-mistake.ts';
import type { Mistake } from './small-schema.ts';

/** The names that are looked for, in this order. */
export const CONFIG_NAMES: readonly string[] = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'].map(
  (end) => `toolwright.config.${end}`,
);

/** A file that was read, and where everything stands in it. */
export interface ReadFile {
  /** Its full path. */
  readonly file: string;
  readonly value: unknown;
  /** Puts a place to a mistake. */
  readonly locate: (mistake: Mistake) => ConfigMistake;
}

const MAX_BYTES = 4_194_304;

/** The configuration in a folder; undefined when there is none. */
export function findConfigFile(folder: string): string | undefined {
  return CONFIG_NAMES.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** Reads a configuration: data, or a module whose default export it is. */
export async function readConfigFile(given: string): Promise<ReadFile> {
  const file = resolve(given);
  if (!existsSync(file)) throw new DefinitionError(`There is no file ${file}.`);
  switch (extname(file)) {
    case '.json':
    case '.yaml':
    case '.yml':
      return readData(file);
    case '.js':
    case '.mjs':
      return fromModule(file, await import(pathToFileURL(file).href));
    case '.ts':
    case '.mts':
      return fromModule(file, await importTypeScript(file));
    default:
      throw new DefinitionError(
        `${file} is no configuration: its name must end with .json, .yaml, .yml, .js, .mjs, .ts or .mts.`,
      );
  }
}

/** JSON too is read as YAML, of which it is a part: so there is one way to say in which line something stands. */
async function readData(file: string): Promise<ReadFile> {
  const bytes = await readFile(file);
  if (bytes.length > MAX_BYTES)
    throw new DefinitionError(`${file} has ${bytes.length} bytes; a configuration has at most ${MAX_BYTES}.`);
  const name = basename(file);
  const text = withoutMark(bytes.toString('utf8'));
  const lines = new LineCounter();
  if (extname(file) === '.json') assertJson(text, name);
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.length > 0) {
    const mistakes = document.errors.map((error) => ({
      file: name,
      path: [],
      message: error.message,
      ...at(error.pos[0]),
    }));
    throw new ConfigError(name, mistakes);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new ConfigError(name, [
      { file: name, path: [], message: (error as Error).message, line: 1, column: 1 },
    ]);
  }
  return {
    file,
    value,
    locate: (mistake) => ({ ...mistake, file: name, ...at(offsetOf(document, mistake.path)) }),
  };
}

/** Some editors put a mark in front, which says that it is Unicode and means nothing else. */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text;
}

/** YAML takes more than JSON does; a file that says it is JSON must be some, for others read it too. */
function assertJson(text: string, name: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const { offset, message } = findJsonMistake(text) ?? {
      offset: text.length,
      message: (error as Error).message,
    };
    const before = text.slice(0, offset).split('\n');
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    throw new ConfigError(name, [{ file: name, path: [], message: `is no JSON: ${message}`, ...place }]);
  }
}

/** Where something stands: the key of a member, the beginning of an entry; for what is missing, that which misses it. */
function offsetOf(document: Document, path: readonly (number | string)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent: unknown =
      length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = isMap(parent)
      ? parent.items.find(
          (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(key),
        )
      : undefined;
    const node: unknown = pair?.key ?? document.getIn(path.slice(0, length), true);
    const range = (node as { range?: readonly number[] | null } | null | undefined)?.range;
    if (range?.[0] !== undefined) return range[0];
  }
  return (document.contents as { range?: readonly number[] | null } | null)?.range?.[0] ?? 0;
}

function fromModule(file: string, loaded: unknown): ReadFile {
  const name = basename(file);
  const value: unknown = (loaded as { default?: unknown }).default;
  if (value === undefined)
    throw new DefinitionError(`${name} has no default export. Write: export default { name: '…' };`);
  return { file, value, locate: (mistake) => ({ ...mistake, file: name }) };
}

/** Newer versions of Node read TypeScript by themselves; for others there is a package. */
export async function importTypeScript(file: string): Promise<unknown> {
  const { typescript } = process.features as { readonly typescript?: unknown };
  if (typescript !== undefined && typescript !== false) return import(pathToFileURL(file).href);
  const { createJiti } = await loadJiti(file);
  return createJiti(pathToFileURL(file).href).import(file);
}

interface Jiti {
  readonly createJiti: (from: string) => { import(file: string): Promise<unknown> };
}

/** Looked for beside the file: that is where its author installs packages. */
async function loadJiti(file: string): Promise<Jiti> {
  try {
    return (await import(pathToFileURL(createRequire(file).resolve('jiti')).href)) as Jiti;
  } catch (error) {
    throw new MissingPeerError(`Reading ${basename(file)} on Node ${process.versions.node}`, ['jiti'], {
      cause: error,
    });
  }
}
