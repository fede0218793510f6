import { isObject } from '../../base/is-object.ts';
import { ANY, assertOptions, BOOLEAN, NON_EMPTY, required, wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
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
import { realFolder } from './real-folder.ts';
import { ReadTurns } from './read-turns.ts';

/** Options of {@link directoryResources}. */
export interface DirectoryOptions<TContext extends object = object> extends Omit<
  ResourceDefinitionBase,
  'mimeType'
> {
  /** The folder on disk. */
  readonly root: string | URL;
  /** Prefix of the URIs of its files, such as `docs://manual/`. */
  readonly uri: string;
  /** Whether files and folders with a leading dot are served. Default: `false`. */
  readonly hidden?: boolean;
  /** Maximum size of a file in bytes. Default: 1,048,576. */
  readonly maxBytes?: number;
  /** Maximum number of listed files and folders. Default: 1,000. */
  readonly maxListed?: number;
  /** Further media types by file extension, which take precedence: `{ mmd: 'text/vnd.mermaid' }`. */
  readonly mimeTypes?: Readonly<Record<string, string>>;
  /** Middleware around both the list and the template, outermost first. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
}

const OWN: Rules = {
  root: required([(value) => value instanceof URL || NON_EMPTY[0](value), 'the path of a folder']),
  uri: required([
    (uri) => typeof uri === 'string' && uri.endsWith('/') && !/[{}]/.test(uri),
    'a URI that ends with "/", such as docs://manual/',
  ]),
  hidden: BOOLEAN,
  maxBytes: wholeNumber(1),
  maxListed: wholeNumber(1),
  mimeTypes: [isObject, "an object of types by the end of names: { mmd: 'text/vnd.mermaid' }"],
};
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

/** The shared options are validated with the resources that they are copied to. */
const OPTIONS: Rules = { ...OWN, ...Object.fromEntries(SHARED.map((name) => [name, ANY])) };

const MAX_BYTES = 1_048_576;
const MAX_LISTED = 1000;

/**
 * The files of a folder as resources: a template that reads each file, and a resource that lists them. Neither `..` nor a link leads out of
 * the folder.
 *
 * @example
 * const resources = new ResourcesManager({
 *   resources: directoryResources({ root: './docs', uri: 'docs://manual/', name: 'manual' }),
 * });
 */
export function directoryResources<TContext extends object = object>(
  options: DirectoryOptions<TContext>,
): AnyResourceDefinition<TContext>[] {
  assertOptions('directoryResources', options, OPTIONS);
  const { uri, hidden = false, maxBytes = MAX_BYTES, maxListed = MAX_LISTED, mimeTypes = {} } = options;
  const enclosure: Enclosure = { root: realFolder('directoryResources', options.root), showsHidden: hidden };
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
