import { resolve } from 'node:path';
import type { ToolwrightError } from '../../errors/errors.ts';
import { looksLikeUri, nameOf, pathOf } from '../../openapi/document/document-uri.ts';
import type { OpenApiEntry } from '../file/config-types.ts';
import type { EnvUses } from '../file/env-uses.ts';
import type { Mistake } from '../file/small-schema.ts';

type Path = Mistake['path'];

/** What an import refused, at the place in the file that it is about. */
export function locateRefusal(error: ToolwrightError, entry: OpenApiEntry, folder: string): Mistake {
  const { message, option, reason, path = [] } = error;
  const at = option === undefined ? [] : [...option.split('.'), ...path];
  // An unknown option may be one of something within the entry.
  if (option !== undefined && reason !== 'unknown-option' && isIn(entry, at))
    return { path: at, message: `is wrong: ${withoutOption(error)}` };
  const [named] = sourcesOf(entry)
    .map(({ path, source }) => ({ path, name: shownName(source, folder) }))
    .filter(({ name }) => message.includes(name))
    // One name may be the beginning of another.
    .toSorted((one, other) => other.name.length - one.name.length);
  return named === undefined
    ? { path: [], message: `is wrong: ${message}` }
    : { path: named.path, message: `cannot be read: ${message}` };
}

/** A document in a variable is never quoted: what is wrong with it cannot be said without. */
export function hideInline({ path, message }: Mistake, entry: OpenApiEntry, uses: EnvUses): Mistake {
  if (path.length > 0 && path[0] !== 'document' && path[0] !== 'overlays') return { path, message };
  const inline = sourcesOf(entry).find((each) => uses.has(each.path) && isInline(each.source));
  if (inline === undefined) return { path, message };
  return {
    path: inline.path,
    message:
      'cannot be read: it is not a valid document. It is from the environment, so nothing of it is shown; write it into a file to see what is wrong',
  };
}

function isInline(source: unknown): boolean {
  return typeof source === 'string' && /^\s*\{|[\r\n]/.test(source);
}

/** The option is said already, by the place. */
function withoutOption({ message, option = '' }: ToolwrightError): string {
  const start = `${option}: `;
  return message.startsWith(start) ? message.slice(start.length) : message;
}

/** What is not in the file cannot be pointed at there. */
function isIn(entry: unknown, path: Path): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return entry !== undefined;
  if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, first)) return false;
  return isIn((entry as Readonly<Record<string | number, unknown>>)[first], rest);
}

interface Source {
  readonly path: Path;
  /** A text, unless an author of JavaScript thinks otherwise. */
  readonly source: unknown;
}

function sourcesOf({ document, overlays = [] }: OpenApiEntry): Source[] {
  return [
    { path: ['document'], source: document },
    ...overlays.map((source, index) => ({ path: ['overlays', index], source })),
  ];
}

/** What messages call it. */
function shownName(source: unknown, folder: string): string {
  return fileOf(source, folder) ?? nameOf(String(source));
}

/** The file that a document is; undefined for one that is elsewhere, or no file at all. */
function fileOf(source: unknown, folder: string): string | undefined {
  if (typeof source !== 'string' || isInline(source)) return undefined;
  if (!looksLikeUri(source)) return resolve(folder, source);
  const url = new URL(source);
  return url.protocol === 'file:' ? pathOf(url) : undefined;
}

/** The files that an entry names: the document and its overlays, as far as they are files. */
export function filesOf(entry: OpenApiEntry, folder: string): string[] {
  return sourcesOf(entry).flatMap(({ source }) => fileOf(source, folder) ?? []);
}
