/** Limits of the strings that patterns are tried on. */
export interface PatternLimits {
  /**
   * Maximum string length in UTF-16 code units, by the source of the expression. Expressions that are not listed have no limits; `Infinity`
   * limits only the number of matches.
   */
  readonly maxLengths: ReadonlyMap<string, number>;
  /** Whether a longer string counts as valid: `true` for the output of a tool, `false` for its input. */
  readonly areLongValid: boolean;
  /** Counts one match of an expression against a string of this length. If it returns `false`, the string counts as too long. */
  readonly mayTry?: (source: string, length: number) => boolean;
}

/** A `RegExp` that is not tried on strings above its limits. It is a subclass because validators identify an expression by its source. */
class BoundedExpression extends RegExp {
  readonly #expression: RegExp;
  readonly #maxLength: number;
  readonly #limits: PatternLimits;

  constructor(expression: RegExp, maxLength: number, limits: PatternLimits) {
    super(expression.source, expression.flags);
    this.#expression = new RegExp(expression.source, expression.flags);
    this.#maxLength = maxLength;
    this.#limits = limits;
  }

  override test(text: string): boolean {
    const { mayTry, areLongValid } = this.#limits;
    if (text.length > this.#maxLength || mayTry?.(this.source, text.length) === false) return areLongValid;
    this.#expression.lastIndex = 0;
    return this.#expression.test(text);
  }
}

/** Returns the expression, bounded if it has limits. */
// defence: bound-of-expressions
export function boundExpression(expression: RegExp, limits: PatternLimits | undefined): RegExp {
  const maxLength = limits?.maxLengths.get(expression.source);
  if (limits === undefined || maxLength === undefined) return expression;
  return new BoundedExpression(expression, maxLength, limits);
}
