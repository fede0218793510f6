import type { Computed } from '../../src/algorithms/computed.ts';

/** The value of a result; fails the test if the algorithm refused. */
export function valueOf<Value>(result: Computed<Value>): Value {
  if (!result.ok) throw new Error(`refused: ${result.reason}`);
  return result.value;
}

/** The reason of a refusal; fails the test if there is a value. */
export function reasonOf(result: Computed<unknown>): string {
  if (result.ok) throw new Error(`not refused: ${JSON.stringify(result.value)}`);
  return result.reason;
}
