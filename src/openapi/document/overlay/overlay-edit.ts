import { DefinitionError } from '../../../errors/errors.ts';
import { isNode } from '../../../schema/nodes/json-node.ts';
import type { JsonObject } from '../../model/operation.ts';
import type { PathMatch } from '../json-path/find-matches.ts';

type Container = Record<string | number, unknown>;

/** Kind of a value for updates: objects are merged, arrays are extended, other values are replaced. */
export function kindOf(value: unknown): 'an object' | 'an array' | 'a plain value' {
  if (Array.isArray(value)) return 'an array';
  return isNode(value) ? 'an object' : 'a plain value';
}

/**
 * Copy-on-write changes to a document. Objects on the path to a change are copied once; everything else is shared.
 * So nothing outside is changed, and a value that is shared by several places is changed in one of them only.
 */
export class DocumentEdit {
  #root: JsonObject;
  /** Copies, each of which is in one place only. */
  #own = new Set<object>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  get root(): JsonObject {
    return this.#root;
  }

  /** After this, existing copies are copied again before they are changed. */
  seal(): void {
    this.#own = new Set();
  }

  /** Removes values from their objects and arrays. */
  remove(matches: readonly PathMatch[], owner: string): void {
    const byParent = new Map<PathMatch, Set<string | number>>();
    for (const { parent, key } of matches) {
      if (parent === undefined)
        throw new DefinitionError(
          `${owner} would remove the whole document. Use a target below the root, such as $.paths.`,
        );
      const keys = byParent.get(parent) ?? new Set();
      byParent.set(parent, keys.add(key));
    }
    // The inner ones first, so that the paths to them are still valid.
    const parents = [...byParent.entries()].map(([match, keys]) => ({ match, keys, level: levelOf(match) }));
    parents.sort((a, b) => b.level - a.level);
    for (const { match, keys } of parents) {
      const container = this.#ownAt(match);
      if (Array.isArray(container)) {
        let kept = 0;
        for (const [index, entry] of container.entries()) {
          if (keys.has(index)) continue;
          container[kept] = entry;
          kept += 1;
        }
        container.length = kept;
      } else for (const key of keys) delete container[key];
    }
  }

  /** Merges a value into a match. Returns notes. */
  merge(match: PathMatch, value: unknown, owner: string): readonly string[] {
    const merging: Merging = { owner, notes: [] };
    if (isContainer(match.value)) {
      this.#mergeInto(this.#ownAt(match), value, merging);
      return merging.notes;
    }
    if (isContainer(value) && match.value !== null) throw unlike(owner, match.value, value);
    if (match.parent !== undefined) set(this.#ownAt(match.parent), match.key, value);
    return merging.notes;
  }

  #mergeInto(target: Container | unknown[], value: unknown, merging: Merging): void {
    if (Array.isArray(target)) {
      for (const entry of Array.isArray(value) ? (value as unknown[]) : [value]) target.push(entry);
      return;
    }
    if (!isNode(value)) throw unlike(merging.owner, target, value);
    for (const [key, member] of Object.entries(value)) {
      // defence: own-keys-in-overlays
      const present = Object.hasOwn(target, key) ? target[key] : null;
      if (present === null || (!isContainer(present) && !isContainer(member))) set(target, key, member);
      else if (member === null) {
        // An empty key of a YAML overlay.
        merging.notes.push(
          `${merging.owner}: ${JSON.stringify(key)} is null in the overlay; the value of the document was kept.`,
        );
      } else if (kindOf(present) === kindOf(member)) {
        this.#mergeInto(this.#ownMember(target, key), member, merging);
      } else throw unlike(`${merging.owner}: ${JSON.stringify(key)}`, present, member);
    }
  }

  /** The object or array of a match, copied so that it may be changed. */
  #ownAt(match: PathMatch): Container | unknown[] {
    if (match.parent !== undefined) return this.#ownMember(this.#ownAt(match.parent), match.key);
    if (!this.#own.has(this.#root)) {
      this.#root = { ...this.#root };
      this.#own.add(this.#root);
    }
    return this.#root;
  }

  #ownMember(container: Container | unknown[], key: string | number): Container | unknown[] {
    const member = (container as Container)[key];
    if (!isContainer(member))
      throw new DefinitionError(`${JSON.stringify(key)} has changed while an overlay was applied.`);
    // defence: copies-in-overlays
    if (this.#own.has(member)) return member as Container;
    const made = Array.isArray(member) ? [...(member as unknown[])] : { ...(member as Container) };
    this.#own.add(made);
    set(container, key, made);
    return made;
  }
}

interface Merging {
  readonly owner: string;
  readonly notes: string[];
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function set(container: Container | unknown[], key: string | number, value: unknown): void {
  // Assigning `__proto__` would change the prototype.
  // defence: proto-in-overlays
  if (key === '__proto__') {
    Object.defineProperty(container, key, { value, configurable: true, enumerable: true, writable: true });
    return;
  }
  (container as Container)[key] = value;
}

function unlike(owner: string, target: unknown, value: unknown): DefinitionError {
  return new DefinitionError(`${owner} is ${kindOf(target)}, but the update is ${kindOf(value)}.`);
}

function levelOf(match: PathMatch): number {
  let level = 0;
  for (let { parent } = match; parent !== undefined; { parent } = parent) level += 1;
  return level;
}
