import { createPatternTest } from '../../../schema/expressions/pattern.ts';
import { sameJson } from '../../../base/json/same-json.ts';
import { PathMistake } from './path-scanner.ts';
import type { Operand, Operator, Query, Segment, Selector, Test } from './path-syntax.ts';

/**
 * A value of a document and its position, a "node" of RFC 9535. There is one object per position, so they can be
 * compared by identity.
 */
export class PathMatch {
  readonly value: unknown;
  readonly parent: PathMatch | undefined;
  readonly key: string | number;
  #members: Map<string | number, PathMatch> | undefined;

  constructor(value: unknown, parent?: PathMatch, key: string | number = '') {
    this.value = value;
    this.parent = parent;
    this.key = key;
  }

  member(key: string | number, value: unknown): PathMatch {
    this.#members ??= new Map();
    let member = this.#members.get(key);
    if (member === undefined) this.#members.set(key, (member = new PathMatch(value, this, key)));
    return member;
  }
}

/** Maximum number of visited positions for one path: nested descendant filters would never end. */
const MAX_STEPS = 10_000_000;

/** Matches of a path, each once, in document order as far as the path defines one. */
export function findMatches(root: unknown, query: Query): readonly PathMatch[] {
  return new Search(root).find(query, new PathMatch(root));
}

const NOTHING = Symbol('nothing');

class Search {
  readonly #root: unknown;
  readonly #isMatch = createPatternTest();
  #steps = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  find({ segments }: Query, start: PathMatch): readonly PathMatch[] {
    let matches: readonly PathMatch[] = [start];
    for (const segment of segments) {
      const found = new Set<PathMatch>();
      // Descendants of nested matches are visited once.
      const seen = new Set<PathMatch>();
      for (const match of matches) {
        if (segment.isDeep) this.#descend(match, segment, { found, seen });
        else this.#select(match, segment.selectors, found);
      }
      matches = [...found];
    }
    return matches;
  }

  #descend(match: PathMatch, segment: Segment, sets: { found: Set<PathMatch>; seen: Set<PathMatch> }): void {
    if (sets.seen.has(match)) return;
    sets.seen.add(match);
    this.#select(match, segment.selectors, sets.found);
    for (const member of this.#membersOf(match)) {
      if (typeof member.value === 'object' && member.value !== null) this.#descend(member, segment, sets);
    }
  }

  #select(match: PathMatch, selectors: readonly Selector[], found: Set<PathMatch>): void {
    if (typeof match.value !== 'object' || match.value === null) return;
    for (const selector of selectors) {
      switch (selector.kind) {
        case 'name':
          this.#selectName(match, selector.name, found);
          break;
        case 'index':
          this.#selectIndex(match, selector.index, found);
          break;
        case 'wildcard':
          for (const member of this.#membersOf(match)) found.add(member);
          break;
        case 'slice':
          this.#selectSlice(match, selector, found);
          break;
        case 'filter':
          for (const member of this.#membersOf(match))
            if (this.#holds(selector.test, member)) found.add(member);
          break;
        default:
          selector satisfies never;
      }
    }
  }

  #selectName(match: PathMatch, name: string, found: Set<PathMatch>): void {
    this.#count(1);
    const object = match.value as Readonly<Record<string, unknown>>;
    if (!Array.isArray(object) && Object.hasOwn(object, name)) found.add(match.member(name, object[name]));
  }

  #selectIndex(match: PathMatch, index: number, found: Set<PathMatch>): void {
    this.#count(1);
    if (!Array.isArray(match.value)) return;
    const list = match.value as readonly unknown[];
    const at = index < 0 ? list.length + index : index;
    if (at >= 0 && at < list.length) found.add(match.member(at, list[at]));
  }

  #selectSlice(match: PathMatch, slice: Extract<Selector, { kind: 'slice' }>, found: Set<PathMatch>): void {
    const { step } = slice;
    if (!Array.isArray(match.value) || step === 0) return;
    const list = match.value as readonly unknown[];
    const bound = (given: number, least: number, most: number): number =>
      Math.min(Math.max(given < 0 ? list.length + given : given, least), most);
    const [least, most] = step > 0 ? [0, list.length] : [-1, list.length - 1];
    const from = slice.start === undefined ? (step > 0 ? least : most) : bound(slice.start, least, most);
    const to = slice.end === undefined ? (step > 0 ? most : least) : bound(slice.end, least, most);
    for (let at = from; step > 0 ? at < to : at > to; at += step) {
      this.#count(1);
      found.add(match.member(at, list[at]));
    }
  }

  #membersOf(match: PathMatch): readonly PathMatch[] {
    const { value } = match;
    if (typeof value !== 'object' || value === null) return [];
    const members = Array.isArray(value)
      ? (value as readonly unknown[]).map((each, index) => match.member(index, each))
      : Object.entries(value).map(([key, each]) => match.member(key, each));
    this.#count(members.length + 1);
    return members;
  }

  #holds(test: Test, match: PathMatch): boolean {
    switch (test.kind) {
      case 'or':
        return test.parts.some((part) => this.#holds(part, match));
      case 'and':
        return test.parts.every((part) => this.#holds(part, match));
      case 'not':
        return !this.#holds(test.part, match);
      case 'exists':
        return this.#findFrom(test.query, match).length > 0;
      case 'compare':
        return compare(this.#valueOf(test.left, match), test.operator, this.#valueOf(test.right, match));
      case 'pattern': {
        const [text, pattern] = [this.#valueOf(test.text, match), this.#valueOf(test.pattern, match)];
        if (typeof text !== 'string' || typeof pattern !== 'string') return false;
        return this.#matches(text, test.isWhole ? `^(?:${pattern})$` : pattern);
      }
      default:
        return test satisfies never;
    }
  }

  #matches(text: string, pattern: string): boolean {
    try {
      return this.#isMatch(pattern, text);
    } catch {
      throw new PathMistake(`${JSON.stringify(pattern)} is not a valid regular expression`);
    }
  }

  #findFrom(query: Query, match: PathMatch): readonly PathMatch[] {
    return this.find(query, new PathMatch(query.from === 'root' ? this.#root : match.value));
  }

  #valueOf(operand: Operand, match: PathMatch): unknown {
    switch (operand.kind) {
      case 'literal':
        return operand.value;
      case 'query': {
        const [found] = this.#findFrom(operand.query, match);
        return found === undefined ? NOTHING : found.value;
      }
      case 'value': {
        const found = this.#findFrom(operand.query, match);
        return found.length === 1 ? found[0]?.value : NOTHING;
      }
      case 'count':
        return this.#findFrom(operand.query, match).length;
      case 'length':
        return lengthOf(this.#valueOf(operand.of, match));
      default:
        return operand satisfies never;
    }
  }

  #count(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new PathMistake('it takes too many steps');
  }
}

function lengthOf(value: unknown): unknown {
  if (typeof value === 'string') return Array.from(value).length;
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : NOTHING;
}

function compare(left: unknown, operator: Operator, right: unknown): boolean {
  switch (operator) {
    case '==':
      return sameJson(left, right);
    case '!=':
      return !sameJson(left, right);
    case '<':
      return isLess(left, right);
    case '>':
      return isLess(right, left);
    case '<=':
      return isLess(left, right) || sameJson(left, right);
    case '>=':
      return isLess(right, left) || sameJson(left, right);
    default:
      return operator satisfies never;
  }
}

function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  return typeof left === 'string' && typeof right === 'string' && left < right;
}
