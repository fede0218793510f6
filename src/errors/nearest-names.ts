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

/** Levenshtein's distance, a row at a time; gives up as soon as it must be more than the limit. */
function editDistance(a: string, b: string, limit: number): number {
  let previous = new Uint16Array(b.length + 1).map((_, index) => index);
  let current = new Uint16Array(b.length + 1);
  for (let i = 1; i <= a.length; i += 1) {
    current[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      const distance = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution);
      current[j] = distance;
      if (distance < least) least = distance;
    }
    if (least > limit) return least;
    [previous, current] = [current, previous];
  }
  return previous[b.length] ?? 0;
}
