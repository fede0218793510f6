import { isNode } from '../../schema/nodes/json-node.ts';
import type { Located } from '../model/operation.ts';
import type { LoadedDocument } from './load-document.ts';

/** The target of a reference, with one id for all references to it. */
export interface Target extends Located {
  /** URI of the file, and the JSON Pointer into it. */
  readonly id: string;
}

/** A reference that cannot be resolved. `isOutside`: its file was not loaded, and the reason says why. */
export interface Dangling {
  readonly problem: string;
  readonly isOutside: boolean;
}

/** Maximum length of a chain of references. */
const MAX_STEPS = 64;

/** Resolves the references of a document within its loaded files. Fetches nothing. */
export class References {
  readonly #document: LoadedDocument;
  /** Anchors and identifiers of schemas, collected on first use. */
  #names: Names | undefined;
  readonly #resolved = new Map<string, Map<string, Target | Dangling>>();
  /** Number of references that are being resolved on the way to the current one. */
  #behind = 0;

  constructor(document: LoadedDocument) {
    this.#document = document;
  }

  /** Returns the value, or the final target if it is a reference. Members beside `$ref` are ignored. */
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

  /** Resolves a reference against the URI of a file, or of a schema with `$id`. */
  resolve(ref: string, base: string): Target | Dangling {
    // Cached: the same few references are resolved many times.
    let ofBase = this.#resolved.get(base);
    if (ofBase === undefined) {
      ofBase = new Map();
      this.#resolved.set(base, ofBase);
    }
    let found = ofBase.get(ref);
    if (found === undefined) {
      found = this.#resolveAnew(ref, base);
      ofBase.set(ref, found);
    }
    return found;
  }

  #resolveAnew(ref: string, base: string): Target | Dangling {
    const found = this.#resolveFrom(ref, base);
    if (!('problem' in found) || this.#document.files.has(base)) return found;
    // Some authors give schemas an `$id` but still refer to the rest of the file.
    const file = this.#allNames().located.get(base)?.file;
    return file === undefined ? found : this.#resolveFrom(ref, file);
  }

  /** Base URI of references within a schema: `$id` changes it. */
  baseWithin(value: object, base: string): string {
    const { version } = this.#document;
    const $id: unknown = Object.hasOwn(value, '$id') ? (value as { $id?: unknown }).$id : undefined;
    if (typeof $id !== 'string' || (version !== '3.1' && version !== '3.2')) return base;
    const uri = toAddress($id, base);
    return uri !== undefined && this.#allNames().located.get(uri)?.value === value ? uri : base;
  }

  /** Whether several schemas have this dynamic anchor, so that its target depends on the referring schema. */
  isAmbiguous(dynamicRef: string): boolean {
    const anchor = dynamicRef.slice(dynamicRef.indexOf('#') + 1);
    return (this.#allNames().dynamic.get(anchor) ?? 0) > 1;
  }

  /** Named schemas of the document, each with a reference to it. */
  namedSchemas(): readonly Target[] {
    const { uri, version } = this.#document;
    const section = version === '2.0' ? 'definitions' : 'components/schemas';
    const schemas = this.resolve(`#/${section}`, uri);
    const found = 'problem' in schemas || refOf(schemas.value) === undefined ? schemas : this.follow(schemas);
    if ('problem' in found || !isNode(found.value)) return [];
    const { value: all, base, id: place } = found as Target & { readonly value: object };
    return Object.entries(all).map(([name, value]) => ({
      value,
      base,
      id: `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    }));
  }

  #resolveFrom(ref: string, base: string): Target | Dangling {
    // URIs of our own stay as they are: resolving would encode them.
    const uri = this.#document.files.has(splitFragment(ref)[0]) ? ref : join(ref, base);
    if (uri === undefined) return { problem: `${quote(ref)} is not a valid reference`, isOutside: false };
    const [file, fragment] = splitFragment(uri);
    const named = this.#findName(uri, file);
    if (named !== undefined && !fragment.startsWith('/'))
      return { value: named.value, base: named.base, id: uri };
    const root = this.#document.files.get(file) ?? this.#findName(file, file)?.value;
    if (root === undefined) {
      const why = this.#document.missing.get(file);
      return { problem: why ?? `${quote(ref)} is not in the document`, isOutside: true };
    }
    const value = findPointer(root, fragment);
    if (value !== undefined) return { value, base: file, id: `${file}#${fragment}` };
    return (
      this.#findBehind({ value: root, base: file }, fragment) ?? {
        problem: `${quote(ref)} cannot be resolved`,
        isOutside: false,
      }
    );
  }

  /**
   * Target of a pointer whose path crosses a reference: some documents have one reference for all schemas of the
   * components.
   */
  #findBehind({ value: root, base }: Located, fragment: string): Target | undefined {
    const steps = fragment.split('/');
    for (let count = 1; count < steps.length; count += 1) {
      const place = findPointer(root, steps.slice(0, count).join('/'));
      const ref = refOf(place);
      if (ref === undefined) continue;
      const [target] = splitFragment(ref);
      const rest = `/${steps.slice(count).join('/')}`;
      const behind = ref === target ? `${ref}#${rest}` : `${ref.replace(/\/$/, '')}${rest}`;
      // A reference to its own location would be followed for ever.
      if (this.#behind >= MAX_STEPS) return undefined;
      this.#behind += 1;
      const found = this.resolve(behind, base);
      this.#behind -= 1;
      return 'problem' in found ? undefined : found;
    }
    return undefined;
  }

  #findName(uri: string, file: string): Located | undefined {
    // Fast path: nearly all references are pointers into files.
    if (this.#document.files.has(file) && !/#[^/]/.test(uri)) return undefined;
    return this.#allNames().located.get(uri);
  }

  #allNames(): Names {
    this.#names ??= findNames(this.#document.files);
    return this.#names;
  }
}

/** The `$ref` of a reference object; undefined for other values. A property named `$ref` is not a reference. */
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

/** A URI without an empty fragment. */
function toAddress(id: string, base: string): string | undefined {
  return join(id, base)?.replace(/#$/, '');
}

interface Named extends Located {
  /** File that contains it. */
  readonly file: string;
}

interface Names {
  readonly located: ReadonlyMap<string, Named>;
  /** Number of occurrences of each dynamic anchor. */
  readonly dynamic: ReadonlyMap<string, number>;
}

/** Keywords with data: an `$id` in their values is not an identifier. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** `$id`, `$anchor` and `$dynamicAnchor` of schemas, as URIs. The first one of a name wins. */
function findNames(files: ReadonlyMap<string, unknown>): Names {
  const located = new Map<string, Named>();
  const dynamic = new Map<string, number>();
  const add = (uri: string | undefined, named: Named): void => {
    if (uri !== undefined && !located.has(uri)) located.set(uri, named);
  };
  const seen = new Set<unknown>();
  for (const [file, root] of files) {
    // The array grows during the loop.
    const waiting: Located[] = [{ value: root, base: file }];
    for (const { value, base: around } of waiting) {
      if (typeof value !== 'object' || value === null || seen.has(value)) continue;
      seen.add(value);
      const { $id, $anchor, $dynamicAnchor } = value as Readonly<Record<string, unknown>>;
      const own = typeof $id === 'string' ? toAddress($id, around) : undefined;
      // In earlier drafts, `#name` is an anchor.
      const base = own === undefined || own.includes('#') ? around : own;
      add(own, { value, base, file });
      for (const anchor of [$anchor, $dynamicAnchor]) {
        if (typeof anchor !== 'string') continue;
        for (const start of [base, file]) add(`${start}#${anchor}`, { value, base, file });
      }
      if (typeof $dynamicAnchor === 'string')
        dynamic.set($dynamicAnchor, (dynamic.get($dynamicAnchor) ?? 0) + 1);
      for (const [key, member] of Object.entries(value))
        if (!DATA.has(key)) waiting.push({ value: member, base });
    }
  }
  return { located, dynamic };
}
