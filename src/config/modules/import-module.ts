import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../base/is-object.ts';
import { MissingPeerError } from '../../errors/errors.ts';
import { decoratedMembers } from './decorated-members.ts';
import { explainSyntaxError } from './syntax-error.ts';

/** Whether a file is a module, by its extension. */
export function isModule(file: string): boolean {
  return /^\.[mc]?[jt]s$/.test(extname(file));
}

/** Imports a JavaScript or TypeScript module, and returns its exports. */
export async function importModule(file: string): Promise<Exports> {
  try {
    const loaded: unknown = extname(file).endsWith('ts')
      ? await importTypeScript(file)
      : await import(pathToFileURL(file).href);
    return exportsOf(loaded as Exports);
  } catch (error) {
    throw (await explainSyntaxError(error, file)) ?? error;
  }
}

type Exports = Readonly<Record<string, unknown>>;

/** The exports of a module. An ES module that was compiled to CommonJS has all exports in its default export. */
function exportsOf(loaded: Exports): Exports {
  const { default: exported } = loaded;
  // For a module without exports, jiti returns an empty object as the default export.
  if (!('default' in loaded) && isObject(exported) && isEmptyRecord(exported)) return {};
  const isCompiled = typeof exported === 'object' && exported !== null && '__esModule' in exported;
  return isCompiled ? { ...exported } : loaded;
}

/** Whether a value is an empty plain object. An instance of a class may also have no own members. */
function isEmptyRecord(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length === 0;
}

/**
 * Compiles and loads a file and its imports with jiti, even if Node can strip types: the result must not depend on the version of Node, and
 * Node supports neither enums, parameter properties, decorators and `paths`, nor imports of `.ts` files as `.js`.
 */
async function importTypeScript(file: string): Promise<unknown> {
  const { createJiti, modules } = await findJiti(file);
  const jiti = createJiti(pathToFileURL(file).href, {
    tsconfigPaths: true,
    // A second copy of the package would have other classes, and `instanceof` would fail.
    nativeModules: ['toolwright'],
    transformOptions: { babel: { plugins: [decoratedMembers] } },
    // Not in the temporary folder, which all users of a machine share. The number changes with the plugin.
    fsCache: join(modules, '.cache', 'toolwright-1'),
  });
  return jiti.import(file).catch((error: unknown) => {
    if (isNullDefault(error)) return { default: null };
    throw error;
  });
}

/** jiti 2.7 fails after it has run a module whose default export is null. */
function isNullDefault(error: unknown): boolean {
  const [message, first] = (error instanceof TypeError ? (error.stack ?? '') : '').split('\n');
  return message?.endsWith("of null (reading 'then')") === true && first?.includes('jiti') === true;
}

interface Jiti {
  readonly createJiti: (from: string, options: object) => { import(file: string): Promise<unknown> };
}

/** Resolves jiti from the folder of the file, where its author installs packages. */
async function findJiti(file: string): Promise<Jiti & { readonly modules: string }> {
  const missing = (cause?: unknown): MissingPeerError =>
    new MissingPeerError(`Loading ${basename(file)}`, ['jiti'], { cause });
  try {
    const entry = createRequire(file).resolve('jiti');
    const { createJiti } = (await import(pathToFileURL(entry).href)) as Partial<Jiti>;
    // jiti 1, which other packages often install, has no createJiti.
    if (createJiti === undefined) throw missing();
    return { createJiti, modules: join(entry, '../../..') };
  } catch (error) {
    throw missing(error);
  }
}
