import { realpathSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assertKnown } from '../../errors/assert-known.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { AnyMiddleware } from '../../middleware/middleware.ts';
import type { CompletionReturn } from '../../prompts/completion.ts';
import type {
  AnyResourceDefinition,
  ResourceContent,
  ResourceDefinitionBase,
} from '../resource-definition.ts';
import type { Enclosure } from './enclosure.ts';
import { listFiles, listFolder } from './list-files.ts';
import { readInside } from './read-inside.ts';
import { ReadTurns } from './read-turns.ts';

/** Options of {@link directoryResources}. */
export interface DirectoryOptions<TContext extends object = object> extends Omit<
  ResourceDefinitionBase,
  'mimeType'
> {
  /** The folder on the disk. */
  readonly root: string | URL;
  /** What the URIs of its files begin with, such as `docs://manual/`. */
  readonly uri: string;
  /** Whether files and folders that begin with a dot are served. Default: false. */
  readonly hidden?: boolean;
  /** The largest file that is read. Default: 1 MiB. */
  readonly maxBytes?: number;
  /** How many files and folders are listed at most. Default: 1,000. */
  readonly maxListed?: number;
  /** Types of files by the end of their name, beside and before those that are known: `{ mmd: 'text/vnd.mermaid' }`. */
  readonly mimeTypes?: Readonly<Record<string, string>>;
  readonly middleware?: readonly AnyMiddleware<TContext>[];
}

const OWN = ['root', 'uri', 'hidden', 'maxBytes', 'maxListed', 'mimeTypes'] as const;
const SHARED = [
  'name',
  'title',
  'description',
  'icons',
  '_meta',
  'tags',
  'scopes',
  'timeoutMs',
  'annotations',
  'cacheHint',
  'middleware',
] as const;

const MAX_BYTES = 1_048_576;
const MAX_LISTED = 1000;

/**
 * The files of a folder as resources: a template that reads each of them, and a resource that lists them. Nothing leads out of the
 * folder, neither `..` nor a link.
 *
 * @example
 * const resources = new ResourcesManager({
 *   resources: directoryResources({ root: './docs', uri: 'docs://manual/', name: 'manual' }),
 * });
 */
export function directoryResources<TContext extends object = object>(
  options: DirectoryOptions<TContext>,
): AnyResourceDefinition<TContext>[] {
  assertKnown('The options of directoryResources', options, [...OWN, ...SHARED]);
  const { uri, hidden = false, maxBytes = MAX_BYTES, maxListed = MAX_LISTED, mimeTypes = {} } = options;
  if (typeof uri !== 'string' || !uri.endsWith('/') || /[{}]/.test(uri)) {
    throw new DefinitionError(
      `directoryResources: uri must end with "/", such as docs://manual/; it is ${JSON.stringify(uri)}.`,
    );
  }
  for (const [name, limit] of Object.entries({ maxBytes, maxListed })) {
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new DefinitionError(`directoryResources: ${name} must be a whole number from 1 on.`);
  }
  const enclosure: Enclosure = { root: realRoot(options.root), showsHidden: hidden };
  const turns = new ReadTurns();
  const shared = pick(options);
  const list = async (signal: AbortSignal): Promise<ResourceContent> => {
    const { paths, isCut } = await listFiles(enclosure, { max: maxListed, signal });
    const lines = paths.map((path) => `${uri}${path.split('/').map(encodeURIComponent).join('/')}`);
    const note = isCut
      ? [`# There is more than is listed here: ${maxListed} files and folders at most.`]
      : [];
    return { text: [...lines, ...note, ''].join('\r\n') };
  };
  return [
    {
      ...shared,
      uri,
      mimeType: 'text/uri-list',
      contentProvider: ({ context }) => list(context.signal),
    },
    {
      ...shared,
      uriTemplate: `${uri}{+path}`,
      complete: {
        path: (value: string, { signal }: { readonly signal: AbortSignal }) =>
          completePath(enclosure, value, signal),
      },
      contentProvider: ({ variables, context }: ReadFileCall) =>
        turns.run(context.signal, () =>
          readInside(enclosure, variables.path, { maxBytes, mimeTypes, signal: context.signal }),
        ),
    },
  ];
}

interface ReadFileCall {
  readonly variables: { readonly path: string };
  readonly context: { readonly signal: AbortSignal };
}

function realRoot(root: unknown): string {
  const path = root instanceof URL ? fileURLToPath(root) : root;
  if (typeof path !== 'string' || path === '')
    throw new DefinitionError('directoryResources needs a root: the path of a folder.');
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch {
    throw new DefinitionError(`directoryResources: there is no folder ${path}.`);
  }
  throw new DefinitionError(`directoryResources: ${path} is not a folder.`);
}

function pick<TContext extends object>(
  options: DirectoryOptions<TContext>,
): Pick<DirectoryOptions<TContext>, (typeof SHARED)[number]> {
  const said = SHARED.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]);
  return Object.fromEntries(said) as Pick<DirectoryOptions<TContext>, (typeof SHARED)[number]>;
}

async function completePath(
  enclosure: Enclosure,
  typed: string,
  signal: AbortSignal,
): Promise<CompletionReturn> {
  const slash = typed.lastIndexOf('/');
  const { entries, isCut } = await listFolder(enclosure, typed.slice(0, Math.max(slash, 0)), signal);
  const values = entries
    .map(({ path, isFolder }) => (isFolder ? `${path}/` : path))
    .filter((path) => path.startsWith(typed));
  return isCut ? { values, hasMore: true } : values;
}
