/** Kinds of state that only one process has, unless a shared store is passed. */
export type MemoryState =
  | 'cache'
  | 'confirmations'
  | 'eventBus'
  | 'rateLimit'
  | 'sessions'
  | 'state'
  | 'tasks';

const STATE: unique symbol = Symbol.for('toolwright.memoryState');

/** Marks a function, such as a middleware, as one that keeps state in the memory of this process. */
export function setMemoryState<TMarked extends object>(
  marked: TMarked,
  states: readonly MemoryState[],
): TMarked {
  return states.length === 0 ? marked : Object.defineProperty(marked, STATE, { value: states });
}

/** The state that a function keeps in the memory of this process. */
export function memoryStateOf(marked: object): readonly MemoryState[] {
  return (marked as { [STATE]?: readonly MemoryState[] })[STATE] ?? [];
}
