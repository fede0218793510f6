/** How long a list may be worked on before others get their turn. */
const TURN_MS = 20;

/** Works on a list, on a few entries at a time; the results are in the order of the list. Others get their turn in between. */
export async function inTurn<TItem, TResult>(
  items: readonly TItem[],
  atOnce: number,
  work: (item: TItem) => Promise<TResult>,
): Promise<TResult[]> {
  const results: TResult[] = [];
  let next = 0;
  let turnEndsAt = performance.now() + TURN_MS;
  const goOn = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as TItem);
      if (performance.now() < turnEndsAt) continue;
      await new Promise((resolve) => setTimeout(resolve, 0));
      turnEndsAt = performance.now() + TURN_MS;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, goOn));
  return results;
}
