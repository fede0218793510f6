import type { SchemaNode } from '../nodes/json-node.ts';
import { mapMembers } from '../../base/json/map-members.ts';
import type { PlainIssue } from '../nodes/plain-schema.ts';
import { SchemaView } from '../view/schema-view.ts';
import { hasWideIntegers, isDigits, isInRange, isWideFormat } from '../nodes/wide-integers.ts';

/** A value with exact integers, and the issues of those that are not exact. */
export interface ReadIntegers {
  /** The value with bigints instead of strings of digits. */
  readonly value: unknown;
  readonly issues: readonly PlainIssue[];
}

/**
 * Parses the integers of values that are sent to an API. A number beyond 2^53 was rounded by JSON parsing and would name something else: it
 * is an issue, unless the schema accepts any number. Where the format is a 64-bit integer, a string of digits is an integer.
 */
export class ExactIntegers {
  readonly #schema: SchemaNode;
  #view: SchemaView | undefined;
  #isWide: boolean | undefined;

  constructor(schema: SchemaNode) {
    this.#schema = schema;
  }

  // defence: exact-integers
  read(value: unknown): ReadIntegers {
    this.#isWide ??= hasWideIntegers(this.#schema);
    if (!this.#mayMatter(value)) return { value, issues: [] };
    this.#view ??= new SchemaView(this.#schema, { takesDigits: true });
    const reading = new Reading(this.#view);
    const read = reading.visit(this.#schema, value, []);
    return { value: read, issues: reading.issues };
  }

  /** Returns only the value. Unchanged if the schema has no 64-bit integers. */
  convert(value: unknown): unknown {
    this.#isWide ??= hasWideIntegers(this.#schema);
    return this.#isWide ? this.read(value).value : value;
  }

  /** Fast path: almost no call has such values. */
  #mayMatter(value: unknown): boolean {
    if (typeof value === 'number') return isRounded(value);
    if (typeof value === 'string') return this.#isWide === true && isDigits(value);
    if (typeof value !== 'object' || value === null) return false;
    return Object.values(value).some((member) => this.#mayMatter(member));
  }
}

function isRounded(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Schema of members that nothing describes. */
const ANYTHING: SchemaNode = {};

type Path = readonly (number | string)[];

class Reading {
  readonly issues: PlainIssue[] = [];
  readonly #view: SchemaView;

  constructor(view: SchemaView) {
    this.#view = view;
    view.begin();
  }

  visit(node: SchemaNode, value: unknown, path: Path): unknown {
    if (typeof value === 'string') return this.#readDigits(node, value, path);
    if (typeof value === 'number') {
      if (isRounded(value)) this.#complain(node, path);
      return value;
    }
    const place = this.#view.at(node, value);
    return mapMembers(value, (member, key) =>
      this.visit(place.member(key) ?? ANYTHING, member, [...path, key]),
    );
  }

  #readDigits(node: SchemaNode, text: string, path: Path): unknown {
    const format = isDigits(text) ? this.#wideFormat(node) : undefined;
    if (format === undefined) return text;
    const integer = BigInt(text);
    if (!isInRange(integer, format)) this.issues.push({ path, message: `must be in the range of ${format}` });
    return integer;
  }

  #complain(node: SchemaNode, path: Path): void {
    const accepted = this.#view.acceptedTypes(node);
    const isWide = this.#wideFormat(node) !== undefined;
    if (accepted !== undefined && !isWide && (accepted.has('number') || !accepted.has('integer'))) return;
    const takesText = accepted === undefined || accepted.has('string');
    const advice = isWide ? ' Send it as a string of digits' : takesText ? ' Send it as a string' : '';
    this.issues.push({ path, message: `${BEYOND}.${advice}` });
  }

  /** Format of the integer that a string of digits represents here; undefined where strings are accepted. */
  #wideFormat(node: SchemaNode): string | undefined {
    const accepted = this.#view.acceptedTypes(node);
    if (accepted === undefined || !accepted.has('integer') || accepted.has('string')) return undefined;
    const formats = this.#view.nodesOfValue(node).map(({ format }) => format);
    return formats.find(isWideFormat);
  }
}

const BEYOND = 'is beyond ±9007199254740991, where JSON numbers are rounded, so it is not sent';
