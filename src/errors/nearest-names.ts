/** Longer names are not compared: no tool has one, and the cost grows with the length. */
const MAX_COMPARED_LENGTH = 128;
/** Maximum number of characters compared per search: any caller may request unknown names. */
const MAX_COMPARED_CHARACTERS = 65_536;
/** Maximum edit distance, for names of any length. */
const MAX_DISTANCE = 3;
const MAX_NAMES = 3;

/**
 * The most similar names, closest first, then by name; at most three. Skips candidates that `mayBeNamed` rejects; it is called only for
 * those of similar length.
 */
export function findNearestNames(
  name: string,
  candidates: Iterable<string>,
  mayBeNamed: (candidate: string) => boolean = isAny,
): string[] {
  if (name.length === 0 || name.length > MAX_COMPARED_LENGTH) return [];
  // A name of one or two letters must match exactly.
  let limit = name.length < 3 ? 0 : Math.min(MAX_DISTANCE, Math.floor(name.length / 3));
  let left = MAX_COMPARED_CHARACTERS;
  const wanted = name.toLowerCase();
  const near: { name: string; distance: number }[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > limit || !mayBeNamed(candidate)) continue;
    left -= candidate.length;
    if (left < 0) break;
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance > limit) continue;
    near.push({ name: candidate, distance });
    // Sorted by name, not in the order of candidates, which could reveal the position of hidden ones.
    near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
    if (near.length > MAX_NAMES) near.pop();
    // Worse candidates no longer matter.
    if (near.length === MAX_NAMES) limit = near.at(-1)?.distance ?? 0;
  }
  return near.map((entry) => entry.name);
}

/** ` Did you mean "…"?` for the most similar name; empty if none is similar. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  return suggest(findNearestNames(name, candidates));
}

/** The same for similar names that are already known, closest first. */
export function suggest([nearest]: readonly string[]): string {
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/**
 * Damerau–Levenshtein distance up to a limit; a greater result only means "too far". Skips equal prefixes and suffixes, and computes only
 * the cells near the diagonal.
 */
function editDistance(a: string, b: string, limit: number): number {
  let start = 0;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1;
    endB -= 1;
  }
  const [rows, columns] = [endA - start, endB - start];
  const tooFar = limit + 1;
  if (Math.abs(rows - columns) > limit) return tooFar;
  /** The cells of one row from `limit` columns before the diagonal to `limit` columns behind it. */
  const band: number[] = [];
  for (let k = -limit; k <= limit; k += 1) band.push(k < 0 ? tooFar : k);
  /** The same of the previous row. */
  const older = band.map(() => tooFar);
  for (let i = 1; i <= rows; i += 1) {
    let least = tooFar;
    let before = tooFar;
    for (let k = 0; k < band.length; k += 1) {
      const j = i + k - limit;
      let distance = j === 0 ? i : tooFar;
      if (j > 0 && j <= columns) {
        const isSame = a.charCodeAt(start + i - 1) === b.charCodeAt(start + j - 1);
        const substitution = (band[k] ?? tooFar) + (isSame ? 0 : 1);
        distance = Math.min((band[k + 1] ?? tooFar) + 1, before + 1, substitution);
        if (areSwapped(a, start + i, b, start + j)) distance = Math.min(distance, (older[k] ?? tooFar) + 1);
      }
      older[k] = band[k] ?? tooFar;
      band[k] = distance;
      before = distance;
      if (distance < least) least = distance;
    }
    if (least > limit) return tooFar;
  }
  return band[columns - rows + limit] ?? tooFar;
}

/** Whether the last two letters before these positions are swapped. */
// oxlint-disable-next-line max-params -- two places, without an object for each comparison
function areSwapped(a: string, endA: number, b: string, endB: number): boolean {
  return (
    endA > 1 &&
    endB > 1 &&
    a.charCodeAt(endA - 1) === b.charCodeAt(endB - 2) &&
    a.charCodeAt(endA - 2) === b.charCodeAt(endB - 1)
  );
}

function isAny(): boolean {
  return true;
}
