import { isNode } from '../../schema/json-node.ts';
import type { Located } from '../operation.ts';
import type { LoadedDocument } from './load-document.ts';

/** Something that a reference leads to, and one name for it however it is referred to. */
export interface Target extends Located {
  /** The URI of the file and the pointer into it. */
  readonly id: string;
}

/** A reference that leads nowhere. `isOutside`: to a file that was not read, and the reason says why. */
export interface Dangling {
  readonly problem: string;
  readonly isOutside: boolean;
}

/** So many references may lead from one to the next. */
const MAX_STEPS = 64;

/** Follows the references of a document, in the files that were read with it. Nothing is fetched here. */
export class References {
  readonly #document: LoadedDocument;
  /** Names within files: anchors and identifiers of schemas. Found when they are first asked for. */
  #names: ReadonlyMap<string, Located> | undefined;

  constructor(document: LoadedDocument) {
    this.#document = document;
  }

  /** What a value is, or what it refers to in the end. Members beside a reference are not looked at. */
  follow({ value, base }: Located): Target | Located | Dangling {
    let found: Located | Target = { value, base };
    for (let steps = 0; steps < MAX_STEPS; steps += 1) {
      const ref = refOf(found.value);
      if (ref === undefined) return found;
      const next = this.resolve(ref, found.base);
      if ('problem' in next) return next;
      found = next;
    }
    return { problem: `${quote(refOf(value) ?? '')} refers to itself`, isOutside: false };
  }

  /** What a reference leads to from within a file. */
  resolve(ref: string, base: string): Target | Dangling {
    const uri = join(ref, base);
    if (uri === undefined) return { problem: `${quote(ref)} is no reference`, isOutside: false };
    const [file, fragment] = splitFragment(uri);
    const named = this.#findName(uri, file);
    if (named !== undefined && !fragment.startsWith('/')) return { ...named, id: uri };
    const root = this.#document.files.get(file) ?? this.#findName(file, file)?.value;
    if (root === undefined) {
      const why = this.#document.missing.get(file);
      return { problem: why ?? `${quote(ref)} is not a part of the document`, isOutside: true };
    }
    const value = findPointer(root, fragment);
    return value === undefined
      ? { problem: `${quote(ref)} leads nowhere`, isOutside: false }
      : { value, base: file, id: `${file}#${fragment}` };
  }

  #findName(uri: string, file: string): Located | undefined {
    // Nearly all references are pointers into files: nothing has to be looked for then.
    if (this.#document.files.has(file) && !/#[^/]/.test(uri)) return undefined;
    this.#names ??= findNames(this.#document.files);
    return this.#names.get(uri);
  }
}

/** The reference that a value is, if it is one. A property that is called `$ref` is none. */
export function refOf(value: unknown): string | undefined {
  if (!isNode(value) || !Object.hasOwn(value, '$ref')) return undefined;
  const { $ref } = value as { $ref?: unknown };
  return typeof $ref === 'string' ? $ref : undefined;
}

function quote(ref: string): string {
  return JSON.stringify(ref.length > 200 ? `${ref.slice(0, 200)}\u2026` : ref);
}

function join(ref: string, base: string): string | undefined {
  if (ref.startsWith('#')) return `${base}${ref}`;
  return URL.canParse(ref, base) ? new URL(ref, base).href : undefined;
}

function splitFragment(uri: string): [string, string] {
  const mark = uri.indexOf('#');
  return mark === -1 ? [uri, ''] : [uri.slice(0, mark), uri.slice(mark + 1)];
}

function findPointer(root: unknown, fragment: string): unknown {
  if (fragment === '' || fragment === '/') return root;
  if (!fragment.startsWith('/')) return undefined;
  let found: unknown = root;
  for (const written of fragment.slice(1).split('/')) {
    const key = [unescape(decode(written)), unescape(written), written].find(
      (each) => typeof found === 'object' && found !== null && Object.hasOwn(found, each),
    );
    if (key === undefined) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unescape(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `$id`, `$anchor` and `$dynamicAnchor` of schemas, as addresses. The first one of a name wins. */
function findNames(files: ReadonlyMap<string, unknown>): ReadonlyMap<string, Located> {
  const names = new Map<string, Located>();
  const add = (uri: string | undefined, located: Located): void => {
    if (uri !== undefined && !names.has(uri)) names.set(uri, located);
  };
  for (const [base, root] of files) {
    const seen = new Set<object>();
    const waiting: unknown[] = [root];
    for (let value = waiting.pop(); value !== undefined || waiting.length > 0; value = waiting.pop()) {
      if (typeof value !== 'object' || value === null || seen.has(value)) continue;
      seen.add(value);
      const { $id, $anchor, $dynamicAnchor } = value as Readonly<Record<string, unknown>>;
      if (typeof $id === 'string') add(join($id, base)?.replace(/#$/, ''), { value, base });
      for (const anchor of [$anchor, $dynamicAnchor])
        if (typeof anchor === 'string') add(`${base}#${anchor}`, { value, base });
      for (const [key, member] of Object.entries(value)) {
        // Data, not schemas: what looks like an identifier there is none.
        if (key !== 'example' && key !== 'examples' && key !== 'default' && key !== 'enum' && key !== 'const')
          waiting.push(member);
      }
    }
  }
  return names;
}
