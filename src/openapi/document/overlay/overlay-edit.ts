import { DefinitionError } from '../../../errors/errors.ts';
import { isNode } from '../../../schema/nodes/json-node.ts';
import type { JsonObject } from '../../model/operation.ts';
import type { PathMatch } from '../json-path/find-matches.ts';

type Container = Record<string | number, unknown>;

/** What an update must be alike: objects are merged, lists get longer, anything else is replaced. */
export function kindOf(value: unknown): 'an object' | 'a list' | 'a plain value' {
  if (Array.isArray(value)) return 'a list';
  return isNode(value) ? 'an object' : 'a plain value';
}

/**
 * A document that is being changed. What is on the way to a change is copied first, once; everything else is what it was. So nothing that
 * others hold is changed, and nothing that stands in several places is changed in all of them.
 */
export class DocumentEdit {
  #root: JsonObject;
  /** Copies, each of which stands in one place only. */
  #own = new Set<object>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  get root(): JsonObject {
    return this.#root;
  }

  /** From here on, what was copied so far is copied again before it is changed. */
  seal(): void {
    this.#own = new Set();
  }

  /** Takes values out of the objects and lists that they are in. */
  remove(matches: readonly PathMatch[], owner: string): void {
    const byParent = new Map<PathMatch, Set<string | number>>();
    for (const { parent, key } of matches) {
      if (parent === undefined) throw new DefinitionError(`${owner} would remove the whole document.`);
      const keys = byParent.get(parent) ?? new Set();
      byParent.set(parent, keys.add(key));
    }
    // The inner ones first: as long as the outer ones are whole, the ways to the inner ones are what they were.
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
        // A key that somebody wrote down and left empty.
        merging.notes.push(`${merging.owner}: ${JSON.stringify(key)} is empty there, and was left as it is.`);
      } else if (kindOf(present) === kindOf(member)) {
        this.#mergeInto(this.#ownMember(target, key), member, merging);
      } else throw unlike(`${merging.owner}: ${JSON.stringify(key)}`, present, member);
    }
  }

  /** The object or list of a match, which may be changed. */
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
  // Assigned, this one would be another thing.
  // defence: proto-in-overlays
  if (key === '__proto__') {
    Object.defineProperty(container, key, { value, configurable: true, enumerable: true, writable: true });
    return;
  }
  (container as Container)[key] = value;
}

function unlike(owner: string, target: unknown, value: unknown): DefinitionError {
  return new DefinitionError(`${owner} is ${kindOf(target)}, and the update is ${kindOf(value)}.`);
}

function levelOf(match: PathMatch): number {
  let level = 0;
  for (let { parent } = match; parent !== undefined; { parent } = parent) level += 1;
  return level;
}
