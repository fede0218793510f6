/** After everything else that is ready. A timer would not do: Node goes on with timers that have become due as long as there are any. */
const schedule: (callback: () => void) => void =
  globalThis.setImmediate ?? ((callback) => setTimeout(callback, 0));

/** Lets everything else that is ready have its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => schedule(resolve));
}
