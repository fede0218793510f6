import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../base/is-object.ts';
import { MissingPeerError } from '../../errors/errors.ts';
import { decoratedMembers } from './decorated-members.ts';
import { explainSyntaxError } from './syntax-error.ts';

/** Whether a file is a module, by its ending. */
export function isModule(file: string): boolean {
  return /^\.[mc]?[jt]s$/.test(extname(file));
}

/** The exports of a module in JavaScript or TypeScript. */
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

/** Of an ES module that was compiled to CommonJS, all exports are members of the default one. */
function exportsOf(loaded: Exports): Exports {
  const { default: exported } = loaded;
  // Of a module without exports, jiti gives an empty object as the default one.
  if (!('default' in loaded) && isObject(exported) && isEmptyRecord(exported)) return {};
  const isCompiled = typeof exported === 'object' && exported !== null && '__esModule' in exported;
  return isCompiled ? { ...exported } : loaded;
}

/** Whether nothing was put into it: an instance of a class may have no members of its own either. */
function isEmptyRecord(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length === 0;
}

/**
 * Compiles and loads a file and what it imports. Always by jiti, also where Node strips types itself: a file must not depend on the version of
 * Node, and Node has neither enums, nor parameter properties, decorators, `paths` or imports of `.ts` files as `.js`.
 */
async function importTypeScript(file: string): Promise<unknown> {
  const { createJiti, modules } = await findJiti(file);
  const jiti = createJiti(pathToFileURL(file).href, {
    tsconfigPaths: true,
    // Two copies of our classes would not know each other.
    nativeModules: ['toolwright'],
    transformOptions: { babel: { plugins: [decoratedMembers] } },
    // Not in the folder that all users of a machine share. The number changes with the plugin.
    fsCache: join(modules, '.cache', 'toolwright-1'),
  });
  return jiti.import(file).catch((error: unknown) => {
    if (isNullDefault(error)) return { default: null };
    throw error;
  });
}

/** jiti 2.7 fails at the exports of a module whose default one is null, after it has run. */
function isNullDefault(error: unknown): boolean {
  const [message, first] = (error instanceof TypeError ? (error.stack ?? '') : '').split('\n');
  return message?.endsWith("of null (reading 'then')") === true && first?.includes('jiti') === true;
}

interface Jiti {
  readonly createJiti: (from: string, options: object) => { import(file: string): Promise<unknown> };
}

/** Looked for beside the file: that is where its author installs packages. */
async function findJiti(file: string): Promise<Jiti & { readonly modules: string }> {
  const missing = (cause?: unknown): MissingPeerError =>
    new MissingPeerError(`Loading ${basename(file)}`, ['jiti'], { cause });
  try {
    const entry = createRequire(file).resolve('jiti');
    const { createJiti } = (await import(pathToFileURL(entry).href)) as Partial<Jiti>;
    // Of its first version, which has none, there is often a copy that other packages need.
    if (createJiti === undefined) throw missing();
    return { createJiti, modules: join(entry, '../../..') };
  } catch (error) {
    throw missing(error);
  }
}
