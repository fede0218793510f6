import { toUnicodePattern } from '../expressions/unicode-pattern.ts';

/** A JSON Schema document under construction. */
export type Document = Record<string, unknown>;

/** The members of a Zod check that are used here. */
export interface ZodCheck {
  readonly _zod: { readonly def: CheckDefinition };
}

/** Definition of a check. A schema with a format is a check itself. */
export interface CheckDefinition {
  readonly check?: string;
  readonly checks?: readonly ZodCheck[];
  readonly format?: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly length?: unknown;
  readonly pattern?: RegExp;
  readonly hostname?: RegExp;
  readonly protocol?: RegExp;
  readonly local?: boolean;
  readonly precision?: number | null;
}

/** Reads the checks of a schema. Undefined if one is unknown. `expressions`: collects the expressions that validation runs. */
export function readChecks(def: CheckDefinition, expressions: RegExp[]): Checks | undefined {
  const checks = new Checks(expressions);
  if (def.check !== undefined && !checks.add(def)) return undefined;
  for (const { _zod } of def.checks ?? []) if (!checks.add(_zod.def)) return undefined;
  return checks;
}

/** Checks without a JSON Schema keyword: `refine` and `trim`. */
const SILENT: ReadonlySet<string | undefined> = new Set(['custom', 'overwrite']);

/** Whether the checks add nothing to the document. */
export function areSilent(checks: readonly ZodCheck[] | undefined): boolean {
  return checks === undefined || checks.every(({ _zod }) => SILENT.has(_zod.def.check));
}

/** Integer formats and their ranges. */
const INTEGERS: ReadonlyMap<unknown, readonly [number, number]> = new Map([
  ['safeint', [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]],
  ['int32', [-2_147_483_648, 2_147_483_647]],
  ['uint32', [0, 4_294_967_295]],
]);

/** Formats with another name in JSON Schema; undefined for one that only has a pattern. */
const FORMATS: ReadonlyMap<string, string | undefined> = new Map([
  ['guid', 'uuid'],
  ['url', 'uri'],
  ['datetime', 'date-time'],
  ['json_string', 'json-string'],
  ['regex', undefined],
  // Without an offset it is not a time of JSON Schema.
  ['time', undefined],
]);

/** Formats whose advertised pattern differs from the one that Zod runs. */
const ENCODINGS: ReadonlySet<string> = new Set(['base64', 'base64url']);

/** Bounds of lengths, whose keywords depend on the type, and of numbers. */
type Bound = 'least' | 'most' | 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum';

/** Merges several checks as Zod does. */
class Checks {
  readonly #expressions: RegExp[];
  readonly #bounds: Partial<Record<Bound, number>> = {};
  readonly #patterns = new Set<RegExp>();
  #divisor: number | undefined;
  #isInteger = false;
  #format: string | undefined;
  #isLax = false;

  constructor(expressions: RegExp[]) {
    this.#expressions = expressions;
  }

  /** Adds a check; returns whether it is known. */
  add(check: CheckDefinition): boolean {
    const { minimum, maximum, length, value, inclusive } = check;
    switch (check.check) {
      case 'custom':
      case 'overwrite':
        return true;
      case 'min_length':
        return this.#narrow('least', minimum, Math.max);
      case 'max_length':
        return this.#narrow('most', maximum, Math.min);
      case 'length_equals':
        return this.#narrow('least', length, Math.max) && this.#narrow('most', length, Math.min);
      case 'greater_than':
        return this.#narrow(inclusive === true ? 'minimum' : 'exclusiveMinimum', value, Math.max);
      case 'less_than':
        return this.#narrow(inclusive === true ? 'maximum' : 'exclusiveMaximum', value, Math.min);
      case 'multiple_of':
        // Zod writes several as an array.
        if (this.#divisor !== undefined || typeof value !== 'number') return false;
        this.#divisor = Math.abs(value);
        return Number.isFinite(value) && value !== 0;
      case 'number_format': {
        const [least, most] = INTEGERS.get(check.format) ?? [];
        this.#isInteger = true;
        return this.#narrow('minimum', least, Math.max) && this.#narrow('maximum', most, Math.min);
      }
      case 'string_format':
        return this.#addFormat(check);
      case undefined:
      default:
        return false;
    }
  }

  #narrow(bound: Bound, value: unknown, narrower: (a: number, b: number) => number): boolean {
    if (typeof value !== 'number' || !Number.isFinite(value)) return false;
    this.#bounds[bound] = narrower(value, this.#bounds[bound] ?? value);
    return true;
  }

  #addFormat({ format, pattern, hostname, protocol, local, precision }: CheckDefinition): boolean {
    if (format === undefined || ENCODINGS.has(format)) return false;
    this.#format = format;
    // Zod accepts values that the JSON Schema format does not.
    if (local === true || precision === -1) this.#isLax = true;
    if (pattern !== undefined) this.#patterns.add(pattern);
    for (const each of [pattern, hostname, protocol]) if (each !== undefined) this.#expressions.push(each);
    return true;
  }

  /** Adds the bounds of a length under these two keywords. */
  writeLength(document: Document, least: string, most: string): Document {
    if (this.#bounds.least !== undefined) document[least] = this.#bounds.least;
    if (this.#bounds.most !== undefined) document[most] = this.#bounds.most;
    return document;
  }

  writeString(): Document {
    const document = this.writeLength({ type: 'string' }, 'minLength', 'maxLength');
    const format = this.#format;
    const shown = format !== undefined && FORMATS.has(format) ? FORMATS.get(format) : format;
    if (shown !== undefined && !this.#isLax) document['format'] = shown;
    const sources = Array.from(this.#patterns, ({ source }) => toUnicodePattern(source) ?? source);
    if (sources.length === 1) [document['pattern']] = sources;
    else if (sources.length > 1) document['allOf'] = sources.map((pattern) => ({ pattern }));
    return document;
  }

  /** Of two bounds on one side, the narrower one is written. */
  writeNumber(): Document {
    const document: Document = { type: this.#isInteger ? 'integer' : 'number' };
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = this.#bounds;
    if (exclusiveMinimum !== undefined && exclusiveMinimum >= (minimum ?? exclusiveMinimum))
      document['exclusiveMinimum'] = exclusiveMinimum;
    else if (minimum !== undefined) document['minimum'] = minimum;
    if (exclusiveMaximum !== undefined && exclusiveMaximum <= (maximum ?? exclusiveMaximum))
      document['exclusiveMaximum'] = exclusiveMaximum;
    else if (maximum !== undefined) document['maximum'] = maximum;
    if (this.#divisor !== undefined) document['multipleOf'] = this.#divisor;
    return document;
  }
}
