/** Longer names are not compared: no tool has one, and the cost grows with the length. */
const MAX_COMPARED_LENGTH = 128;
/** More differences than this are another word, however long the name is. */
const MAX_DISTANCE = 3;

/** The names most like the given one, best first; at most three, and none that is too far away to be meant. */
export function findNearestNames(name: string, candidates: Iterable<string>): string[] {
  // In a name of one or two letters every other letter is too many.
  const limit = name.length < 3 ? 0 : Math.min(MAX_DISTANCE, Math.floor(name.length / 3));
  if (name.length === 0 || name.length > MAX_COMPARED_LENGTH) return [];
  const wanted = name.toLowerCase();
  const near: { name: string; distance: number }[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > limit) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance <= limit) near.push({ name: candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, 3).map((entry) => entry.name);
}

/** ` Did you mean "…"?` for the name most like the given one; nothing when none is. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const [nearest] = findNearestNames(name, candidates);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/**
 * Levenshtein's distance up to a limit; more than the limit means only "too far". Equal beginnings and ends are cut off first, and
 * of each row only the cells near the diagonal are looked at: names in one registry are alike, and anyone may ask for unknown ones.
 */
function editDistance(a: string, b: string, limit: number): number {
  let start = 0;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1;
    endB -= 1;
  }
  const width = endB - start;
  let previous: number[] = [];
  for (let j = 0; j <= width; j += 1) previous.push(j);
  for (let i = 1; i <= endA - start; i += 1) {
    const current: number[] = [i];
    let least = i;
    for (let j = 1; j <= width; j += 1) {
      let distance = limit + 1;
      if (Math.abs(i - j) <= limit) {
        const isSame = a.charCodeAt(start + i - 1) === b.charCodeAt(start + j - 1);
        const substitution = (previous[j - 1] ?? distance) + (isSame ? 0 : 1);
        distance = Math.min((previous[j] ?? distance) + 1, (current[j - 1] ?? distance) + 1, substitution);
      }
      current.push(distance);
      if (distance < least) least = distance;
    }
    if (least > limit) return least;
    previous = current;
  }
  return previous[width] ?? endA - start;
}
