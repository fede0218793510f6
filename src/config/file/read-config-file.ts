import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { DefinitionError, withPlace } from '../../errors/errors.ts';
import { DOCUMENT_DEFAULTS } from '../../openapi/document/parse/document-limits.ts';
import { loadYaml, YamlMistake } from '../../openapi/document/parse/load-yaml.ts';
import { measureTree } from '../../openapi/document/parse/measure-document.ts';
import { importModule } from '../modules/import-module.ts';
import { ConfigError } from './config-error.ts';
import type { ConfigMistake } from './config-error.ts';
import { findJsonMistake } from './json-mistake.ts';
import type { Mistake } from './small-schema.ts';
import { YamlPositions } from './yaml-positions.ts';
import type { Position } from './yaml-positions.ts';

/** File names that `findConfigFile` looks for, in this order. */
export const CONFIG_NAMES: readonly string[] = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'].map(
  (end) => `toolwright.config.${end}`,
);

/** The content of a file, with positions. */
export interface ReadFile {
  /** The absolute path. */
  readonly file: string;
  readonly value: unknown;
  /** Adds the position to a mistake. */
  readonly locate: (mistake: Mistake) => ConfigMistake;
}

const MAX_BYTES = 4_194_304;

/** Finds the configuration file in a folder. Returns undefined if there is none. */
export function findConfigFile(folder: string): string | undefined {
  return CONFIG_NAMES.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** Reads a configuration from JSON, YAML, or the default export of a module. */
export async function readConfigFile(given: string): Promise<ReadFile> {
  const file = resolve(given);
  return read(file).catch((error: unknown) => {
    throw withPlace(error, { option: 'file', received: file });
  });
}

async function read(file: string): Promise<ReadFile> {
  if (!existsSync(file)) throw new DefinitionError(`File not found: ${file}.`);
  switch (extname(file)) {
    case '.json':
    case '.yaml':
    case '.yml':
      return readData(file);
    case '.js':
    case '.mjs':
    case '.ts':
    case '.mts':
      return fromModule(file, await importModule(file));
    default:
      throw new DefinitionError(
        `Invalid configuration file ${file}: its name must end with .json, .yaml, .yml, .js, .mjs, .ts or .mts.`,
      );
  }
}

/** Parses JSON as YAML too, which is a superset, so that both have positions. */
async function readData(file: string): Promise<ReadFile> {
  const bytes = await readFile(file);
  if (bytes.length > MAX_BYTES)
    throw new DefinitionError(`${file} must have at most ${MAX_BYTES} bytes; it has ${bytes.length}.`);
  const name = basename(file);
  const text = withoutMark(bytes.toString('utf8'));
  if (extname(file) === '.json') assertJson(text, name);
  const positions = new YamlPositions(text);
  const value = readYaml(text, name, positions);
  return {
    file,
    value,
    locate: (mistake) => ({ ...mistake, file: name, ...positions.find(mistake.path) }),
  };
}

/** Parses YAML within the document limits, and records positions. */
function readYaml(text: string, name: string, positions: YamlPositions): unknown {
  const limits = DOCUMENT_DEFAULTS;
  const fail = (message: string, position: Position): never => {
    throw new ConfigError(name, [{ file: name, path: [], message, ...position }]);
  };
  try {
    const documents = loadYaml({ name: FILE, text }, { limits, onNode: positions.record });
    if (documents.length > 1)
      fail('starts a second YAML document; a configuration must have only one', positions.findSecond());
    const [value = null] = documents;
    measureTree(FILE, value, limits);
    return value;
  } catch (error) {
    if (error instanceof ConfigError || !(error instanceof DefinitionError || error instanceof YamlMistake))
      throw error;
    const mark = error instanceof YamlMistake ? error.mark : undefined;
    return fail(error.message, { line: (mark?.line ?? 0) + 1, column: (mark?.column ?? 0) + 1 });
  }
}

/** Subject of parser messages, which are prefixed with the name of the file. */
const FILE = 'The file';

/** Removes the byte order mark that some editors write. */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text;
}

/** Rejects YAML in a .json file, because other programs parse it as JSON. */
function assertJson(text: string, name: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const { offset, message } = findJsonMistake(text) ?? {
      offset: text.length,
      message: (error as Error).message,
    };
    const before = text.slice(0, offset).split('\n');
    const position = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    throw new ConfigError(name, [
      { file: name, path: [], message: `is not valid JSON: ${message}`, ...position },
    ]);
  }
}

function fromModule(file: string, { default: value }: { readonly default?: unknown }): ReadFile {
  const name = basename(file);
  if (value === undefined)
    throw new DefinitionError(`${name} has no default export. Write: export default { name: '…' };`);
  return { file, value, locate: (mistake) => ({ ...mistake, file: name }) };
}
