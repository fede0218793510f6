import { resolve } from 'node:path';
import type { ToolwrightError } from '../../errors/errors.ts';
import { suggest } from '../../errors/nearest-names.ts';
import { wordsOf } from '../../errors/options/wrong-value.ts';
import { looksLikeUri, pathOf } from '../../openapi/document/document-uri.ts';
import type { OpenApiEntry } from '../file/config-types.ts';
import type { EnvUses } from '../file/env-uses.ts';
import type { Mistake } from '../file/small-schema.ts';
import { namesNone } from './openapi-strangers.ts';

type Path = Mistake['path'];

/** Converts an import error to a mistake with its path in the entry. */
export function locateRefusal(error: ToolwrightError, entry: OpenApiEntry): Mistake {
  const { message, option, reason, path = [], expected = [], received } = error;
  const at = option === undefined ? [] : [...option.split('.'), ...path];
  // The option is not in the file, so the mistake gets the path of the entry.
  if (at.length === 0 || !isIn(entry, at)) return { path: [], message: `is invalid: ${message}` };
  if (reason === 'unreadable-document') return { path: at, message: `cannot be read: ${message}` };
  if (reason === 'unknown-operation') return { path: at, message: namesNone(error) };
  if (reason === 'unknown-argument')
    return {
      path: at,
      message: `is an unknown argument of ${String(path[0])}.${suggest([expected].flat())}`,
    };
  if (reason !== 'wrong-value') return { path: at, message: `is invalid: ${message}` };
  const found = received === undefined ? '' : `; received ${String(received)}`;
  return { path: at, message: `must be ${wordsOf(expected)}${found}.` };
}

/** Replaces the message about an inline document from an environment variable, because the message may quote it. */
export function hideInline({ path, message }: Mistake, entry: OpenApiEntry, uses: EnvUses): Mistake {
  if (path.length > 0 && path[0] !== 'document' && path[0] !== 'overlays') return { path, message };
  const inline = sourcesOf(entry).find((each) => uses.has(each.path) && isInline(each.source));
  if (inline === undefined) return { path, message };
  return {
    path: inline.path,
    message:
      'cannot be read: it is not a valid document. Its content comes from the environment and is not shown; write it to a file to see the details',
  };
}

function isInline(source: unknown): boolean {
  return typeof source === 'string' && /^\s*\{|[\r\n]/.test(source);
}

/** Whether there is a value at a path. */
function isIn(entry: unknown, path: Path): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return entry !== undefined;
  if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, first)) return false;
  return isIn((entry as Readonly<Record<string | number, unknown>>)[first], rest);
}

interface Source {
  readonly path: Path;
  /** A string, unless a JavaScript configuration passes something else. */
  readonly source: unknown;
}

function sourcesOf({ document, overlays = [] }: OpenApiEntry): Source[] {
  return [
    { path: ['document'], source: document },
    ...overlays.map((source, index) => ({ path: ['overlays', index], source })),
  ];
}

/** The file of a document; undefined for an inline document and for other URLs. */
function fileOf(source: unknown, folder: string): string | undefined {
  if (typeof source !== 'string' || isInline(source)) return undefined;
  if (!looksLikeUri(source)) return resolve(folder, source);
  const url = new URL(source);
  return url.protocol === 'file:' ? pathOf(url) : undefined;
}

/** The files of an entry: the document and its overlays. */
export function filesOf(entry: OpenApiEntry, folder: string): string[] {
  return sourcesOf(entry).flatMap(({ source }) => fileOf(source, folder) ?? []);
}
