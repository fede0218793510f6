/** How long the texts may be that patterns are tried on. */
export interface PatternLimits {
  /**
   * By the source of the expression, in UTF-16 code units. Those that are not listed take texts of any length, and any number of them.
   * Infinite for those that take texts of any length, but not any number of them.
   */
  readonly maxLengths: ReadonlyMap<string, number>;
  /** What a longer text is taken for: valid in what a tool returns, invalid in what a caller sends. */
  readonly areLongValid: boolean;
  /** Counts one match of an expression with a text of a length. When it returns false, the text counts as too long. */
  readonly mayTry?: (source: string, length: number) => boolean;
}

/** An expression that is not tried on long texts, nor on too many. A `RegExp`, because validators name it, and tell it apart, by its text. */
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

/** The expression, bounded if it has to be. */
// defence: bound-of-expressions
export function boundExpression(expression: RegExp, limits: PatternLimits | undefined): RegExp {
  const maxLength = limits?.maxLengths.get(expression.source);
  if (limits === undefined || maxLength === undefined) return expression;
  return new BoundedExpression(expression, maxLength, limits);
}
