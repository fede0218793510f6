/** A JSON Schema document in the making. */
export type Document = Record<string, unknown>;

/** A check of a Zod schema, as far as it is read here. */
export interface ZodCheck {
  readonly _zod: { readonly def: CheckDefinition };
}

/** What a check was made of. */
export interface CheckDefinition {
  readonly check?: string;
  readonly format?: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly pattern?: RegExp;
  readonly hostname?: RegExp;
  readonly protocol?: RegExp;
  readonly local?: boolean;
  readonly precision?: number | null;
}

/** Checks that JSON Schema has no keyword for: what `refine` and `trim` add. */
const SILENT: ReadonlySet<string | undefined> = new Set(['custom', 'overwrite']);

/** Whether the checks add nothing to the document. */
export function areSilent(checks: readonly ZodCheck[] | undefined): boolean {
  return checks === undefined || checks.every((check) => isSilent(check._zod.def));
}

export function isSilent({ check }: CheckDefinition): boolean {
  return SILENT.has(check);
}

/** Adds the bounds of a length under these two keywords. Undefined when there are checks of another kind. */
export function addLengthChecks(
  document: Document,
  checks: readonly ZodCheck[] | undefined,
  keywords: readonly [string, string],
): Document | undefined {
  if (checks === undefined) return document;
  const range = new Range();
  for (const { _zod } of checks) if (!range.addLength(_zod.def) && !isSilent(_zod.def)) return undefined;
  return range.writeTo(document, keywords);
}

/** Bounds that only get narrower. */
export class Range {
  minimum: number = Number.NEGATIVE_INFINITY;
  maximum: number = Number.POSITIVE_INFINITY;

  atLeast(value: number): void {
    if (value > this.minimum) this.minimum = value;
  }

  atMost(value: number): void {
    if (value < this.maximum) this.maximum = value;
  }

  /** Whether the check was one of a length. */
  addLength({ check, minimum, maximum, length }: CheckDefinition): boolean {
    if (check === 'min_length' && Number.isFinite(minimum)) this.atLeast(minimum as number);
    else if (check === 'max_length' && Number.isFinite(maximum)) this.atMost(maximum as number);
    else if (check === 'length_equals' && Number.isFinite(length)) {
      this.atLeast(length as number);
      this.atMost(length as number);
    } else return false;
    return true;
  }

  writeTo(document: Document, [least, most]: readonly [string, string]): Document {
    if (this.minimum !== Number.NEGATIVE_INFINITY) document[least] = this.minimum;
    if (this.maximum !== Number.POSITIVE_INFINITY) document[most] = this.maximum;
    return document;
  }
}

/** Formats of whole numbers, with what they allow. */
const INTEGERS: ReadonlyMap<unknown, readonly [number, number]> = new Map([
  ['safeint', [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]],
  ['int32', [-2_147_483_648, 2_147_483_647]],
  ['uint32', [0, 4_294_967_295]],
]);

/** The document of a number. Undefined when there are checks of another kind. */
export function addNumberChecks(
  def: CheckDefinition & { checks?: readonly ZodCheck[] },
): Document | undefined {
  if (def.check === undefined && def.checks === undefined) return { type: 'number' };
  const bounds = new NumberBounds();
  if (def.check !== undefined && !bounds.add(def)) return undefined;
  for (const { _zod } of def.checks ?? []) if (!bounds.add(_zod.def) && !isSilent(_zod.def)) return undefined;
  return bounds.toDocument();
}

class NumberBounds {
  readonly #inclusive = new Range();
  readonly #exclusive = new Range();
  #isInteger = false;
  #divisor: number | undefined;

  /** Whether the check is known. */
  add(check: CheckDefinition): boolean {
    const { value, inclusive } = check;
    if (check.check === 'number_format') return this.#addFormat(check.format);
    if (typeof value !== 'number' || !Number.isFinite(value)) return false;
    const range = inclusive === true ? this.#inclusive : this.#exclusive;
    if (check.check === 'greater_than') range.atLeast(value);
    else if (check.check === 'less_than') range.atMost(value);
    else return check.check === 'multiple_of' && this.#addDivisor(Math.abs(value));
    return true;
  }

  #addFormat(format: string | undefined): boolean {
    const limits = INTEGERS.get(format);
    if (limits === undefined) return false;
    this.#isInteger = true;
    this.#inclusive.atLeast(limits[0]);
    this.#inclusive.atMost(limits[1]);
    return true;
  }

  /** Of several, Zod makes a list. */
  #addDivisor(divisor: number): boolean {
    if (divisor === 0 || this.#divisor !== undefined) return false;
    this.#divisor = divisor;
    return true;
  }

  /** Of two bounds on one side, the narrower one. */
  toDocument(): Document {
    const document: Document = { type: this.#isInteger ? 'integer' : 'number' };
    const [including, excluding] = [this.#inclusive, this.#exclusive];
    if (excluding.minimum !== Number.NEGATIVE_INFINITY && excluding.minimum >= including.minimum)
      document['exclusiveMinimum'] = excluding.minimum;
    else if (including.minimum !== Number.NEGATIVE_INFINITY) document['minimum'] = including.minimum;
    if (excluding.maximum !== Number.POSITIVE_INFINITY && excluding.maximum <= including.maximum)
      document['exclusiveMaximum'] = excluding.maximum;
    else if (including.maximum !== Number.POSITIVE_INFINITY) document['maximum'] = including.maximum;
    if (this.#divisor !== undefined) document['multipleOf'] = this.#divisor;
    return document;
  }
}
