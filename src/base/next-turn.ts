/** Runs after everything else that is ready. A timer would not do: Node runs all due timers first. */
const schedule: (callback: () => void) => void =
  globalThis.setImmediate ?? ((callback) => setTimeout(callback, 0));

/** Yields to everything else that is ready. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => schedule(resolve));
}
