/** Names this long and longer are not compared: the cost grows with the square of the length. */
const MAX_COMPARED_LENGTH = 128;

/** The names most like the given one, best first; at most three, and none that is too far away to be meant. */
export function findNearestNames(name: string, candidates: Iterable<string>): string[] {
  if (name.length === 0 || name.length > MAX_COMPARED_LENGTH) return [];
  // In a name of one or two letters every other letter is too many.
  const limit = name.length < 3 ? 0 : Math.floor(name.length / 3);
  const wanted = name.toLowerCase();
  const near: { name: string; distance: number }[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > limit) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= limit) near.push({ name: candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, 3).map((entry) => entry.name);
}

/** Levenshtein's distance, two rows at a time. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
