import { createPatternTest } from '../../../schema/expressions/pattern.ts';
import { sameJson } from '../../../base/json/same-json.ts';
import { PathMistake } from './path-scanner.ts';
import type { Operand, Operator, Query, Segment, Selector, Test } from './path-syntax.ts';

/** A place in a document. There is one for each place, so that two are the same if they are the same. */
export class Place {
  readonly value: unknown;
  readonly parent: Place | undefined;
  readonly key: string | number;
  #members: Map<string | number, Place> | undefined;

  constructor(value: unknown, parent?: Place, key: string | number = '') {
    this.value = value;
    this.parent = parent;
    this.key = key;
  }

  member(key: string | number, value: unknown): Place {
    this.#members ??= new Map();
    let member = this.#members.get(key);
    if (member === undefined) this.#members.set(key, (member = new Place(value, this, key)));
    return member;
  }
}

/** So many places are looked at for one path: filters that look everywhere for everything would never come to an end. */
const MAX_STEPS = 10_000_000;

/** The places that a path leads to, each once, in the order of the document as far as the path has one. */
export function findPlaces(root: unknown, query: Query): readonly Place[] {
  return new Search(root).find(query, new Place(root));
}

const NOTHING = Symbol('nothing');

class Search {
  readonly #root: unknown;
  readonly #isMatch = createPatternTest();
  #steps = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  find({ segments }: Query, start: Place): readonly Place[] {
    let places: readonly Place[] = [start];
    for (const segment of segments) {
      const found = new Set<Place>();
      // Of places within each other, what is below the inner one is below the outer one too.
      const seen = new Set<Place>();
      for (const place of places) {
        if (segment.isDeep) this.#descend(place, segment, { found, seen });
        else this.#select(place, segment.selectors, found);
      }
      places = [...found];
    }
    return places;
  }

  #descend(place: Place, segment: Segment, sets: { found: Set<Place>; seen: Set<Place> }): void {
    if (sets.seen.has(place)) return;
    sets.seen.add(place);
    this.#select(place, segment.selectors, sets.found);
    for (const member of this.#membersOf(place)) {
      if (typeof member.value === 'object' && member.value !== null) this.#descend(member, segment, sets);
    }
  }

  #select(place: Place, selectors: readonly Selector[], found: Set<Place>): void {
    if (typeof place.value !== 'object' || place.value === null) return;
    for (const selector of selectors) {
      switch (selector.kind) {
        case 'name':
          this.#selectName(place, selector.name, found);
          break;
        case 'index':
          this.#selectIndex(place, selector.index, found);
          break;
        case 'wildcard':
          for (const member of this.#membersOf(place)) found.add(member);
          break;
        case 'slice':
          this.#selectSlice(place, selector, found);
          break;
        case 'filter':
          for (const member of this.#membersOf(place))
            if (this.#holds(selector.test, member)) found.add(member);
          break;
        default:
          selector satisfies never;
      }
    }
  }

  #selectName(place: Place, name: string, found: Set<Place>): void {
    this.#count(1);
    const object = place.value as Readonly<Record<string, unknown>>;
    if (!Array.isArray(object) && Object.hasOwn(object, name)) found.add(place.member(name, object[name]));
  }

  #selectIndex(place: Place, index: number, found: Set<Place>): void {
    this.#count(1);
    if (!Array.isArray(place.value)) return;
    const list = place.value as readonly unknown[];
    const at = index < 0 ? list.length + index : index;
    if (at >= 0 && at < list.length) found.add(place.member(at, list[at]));
  }

  #selectSlice(place: Place, slice: Extract<Selector, { kind: 'slice' }>, found: Set<Place>): void {
    const { step } = slice;
    if (!Array.isArray(place.value) || step === 0) return;
    const list = place.value as readonly unknown[];
    const bound = (given: number, least: number, most: number): number =>
      Math.min(Math.max(given < 0 ? list.length + given : given, least), most);
    const [least, most] = step > 0 ? [0, list.length] : [-1, list.length - 1];
    const from = slice.start === undefined ? (step > 0 ? least : most) : bound(slice.start, least, most);
    const to = slice.end === undefined ? (step > 0 ? most : least) : bound(slice.end, least, most);
    for (let at = from; step > 0 ? at < to : at > to; at += step) {
      this.#count(1);
      found.add(place.member(at, list[at]));
    }
  }

  #membersOf(place: Place): readonly Place[] {
    const { value } = place;
    if (typeof value !== 'object' || value === null) return [];
    const members = Array.isArray(value)
      ? (value as readonly unknown[]).map((each, index) => place.member(index, each))
      : Object.entries(value).map(([key, each]) => place.member(key, each));
    this.#count(members.length + 1);
    return members;
  }

  #holds(test: Test, place: Place): boolean {
    switch (test.kind) {
      case 'or':
        return test.parts.some((part) => this.#holds(part, place));
      case 'and':
        return test.parts.every((part) => this.#holds(part, place));
      case 'not':
        return !this.#holds(test.part, place);
      case 'exists':
        return this.#findFrom(test.query, place).length > 0;
      case 'compare':
        return compare(this.#valueOf(test.left, place), test.operator, this.#valueOf(test.right, place));
      case 'pattern': {
        const [text, pattern] = [this.#valueOf(test.text, place), this.#valueOf(test.pattern, place)];
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
      throw new PathMistake(`${JSON.stringify(pattern)} is no regular expression`);
    }
  }

  #findFrom(query: Query, place: Place): readonly Place[] {
    return this.find(query, new Place(query.from === 'root' ? this.#root : place.value));
  }

  #valueOf(operand: Operand, place: Place): unknown {
    switch (operand.kind) {
      case 'literal':
        return operand.value;
      case 'query': {
        const [found] = this.#findFrom(operand.query, place);
        return found === undefined ? NOTHING : found.value;
      }
      case 'value': {
        const found = this.#findFrom(operand.query, place);
        return found.length === 1 ? found[0]?.value : NOTHING;
      }
      case 'count':
        return this.#findFrom(operand.query, place).length;
      case 'length':
        return lengthOf(this.#valueOf(operand.of, place));
      default:
        return operand satisfies never;
    }
  }

  #count(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new PathMistake('it would take too long');
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
