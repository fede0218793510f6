/** The cached value of a key, or a new one. Keeps at most `max` values; the oldest is removed first. */
export function remember<TKey, TValue>(
  known: Map<TKey, TValue>,
  key: TKey,
  { make, max }: { readonly make: () => TValue; readonly max: number },
): TValue {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  for (const oldest of known.keys()) {
    if (known.size <= max) break;
    known.delete(oldest);
  }
  return made;
}
