/** A batch as converters take it: gaps are allowed and skipped. */
export type Batch<TItem> = Iterable<TItem | null | undefined>;

/**
 * Converts between two forms of one thing, in both directions, one by one and in batches. A single conversion
 * may answer `null` or `undefined` for "has no counterpart"; a batch leaves those out.
 *
 * @example
 * class NameConverter extends ConverterBase<Tool, string> {
 *   override convertFrom(tool: Tool): string {
 *     return tool.name;
 *   }
 *   override convertTo(name: string): Tool | undefined {
 *     return known.get(name);
 *   }
 * }
 */
export abstract class ConverterBase<TSource, TTarget> {
  /** From the source form to the target form. */
  abstract convertFrom(source: TSource): TTarget | null | undefined;

  /** From the target form back to the source form. */
  abstract convertTo(target: TTarget): TSource | null | undefined;

  convertFromBatch(sources: Batch<TSource>): TTarget[] {
    return convertPresent(sources, (source) => this.convertFrom(source));
  }

  convertToBatch(targets: Batch<TTarget>): TSource[] {
    return convertPresent(targets, (target) => this.convertTo(target));
  }
}

/** Converts what is there and keeps what comes out, in order. */
export function convertPresent<TItem, TResult>(
  items: Batch<TItem>,
  convert: (item: TItem) => TResult | null | undefined,
): TResult[] {
  const results: TResult[] = [];
  for (const item of items) {
    if (item === null || item === undefined) continue;
    const result = convert(item);
    if (result !== null && result !== undefined) results.push(result);
  }
  return results;
}
