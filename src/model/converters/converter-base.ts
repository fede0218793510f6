/** Input of a batch conversion; `null` and `undefined` are skipped. */
export type Batch<TItem> = Iterable<TItem | null | undefined>;

/**
 * Converts between two forms of an object, in both directions, one at a time and in batches. A single conversion
 * may return `null` or `undefined` for "no counterpart"; a batch leaves those out.
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
  /** Converts from the source form to the target form. */
  abstract convertFrom(source: TSource): TTarget | null | undefined;

  /** Converts from the target form back to the source form. */
  abstract convertTo(target: TTarget): TSource | null | undefined;

  /** Converts several objects; those without a counterpart are left out. */
  convertFromBatch(sources: Batch<TSource>): TTarget[] {
    return convertPresent(sources, (source) => this.convertFrom(source));
  }

  /** Converts several objects back; those without a counterpart are left out. */
  convertToBatch(targets: Batch<TTarget>): TSource[] {
    return convertPresent(targets, (target) => this.convertTo(target));
  }
}

/** Converts all items that are present, and keeps all results that are present, in order. */
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
