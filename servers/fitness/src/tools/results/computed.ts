import { ToolError } from 'toolwright';
import type { Computed } from '../../algorithms/computed.ts';

/** The value of an algorithm. If the algorithm does not apply, the call fails with the reason and the suggestions. */
export function getValue<TValue>(computed: Computed<TValue>, ...suggestions: readonly string[]): TValue {
  if (computed.ok) return computed.value;
  throw new ToolError(computed.reason, { suggestions });
}

/** The value of an algorithm; null, with a note, if the algorithm does not apply. */
export function toNullable<TValue>(name: string, computed: Computed<TValue>, notes: string[]): TValue | null {
  if (computed.ok) return computed.value;
  notes.push(`${name}: ${computed.reason}`);
  return null;
}
