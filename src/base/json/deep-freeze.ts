/** Freezes a JSON value at every depth. */
export function deepFreeze<TValue>(value: TValue): TValue {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) if (typeof member === 'object') deepFreeze(member);
  }
  return value;
}
