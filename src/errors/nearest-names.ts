/** Longer names are not compared: no tool has one, and the cost grows with the length. */
const MAX_COMPARED_LENGTH = 128;
/** So many characters of all names together are compared: anyone may ask for unknown names. */
const MAX_COMPARED_CHARACTERS = 65_536;
/** More differences than this are another word, however long the name is. */
const MAX_DISTANCE = 3;
const MAX_NAMES = 3;

/**
 * The names most like the given one, best first, of equal ones by name; at most three, and none that is too far away to be meant. Candidates that `mayBeNamed`
 * refuses take no part; it is only asked for those of about the same length.
 */
export function findNearestNames(
  name: string,
  candidates: Iterable<string>,
  mayBeNamed: (candidate: string) => boolean = isAny,
): string[] {
  if (name.length === 0 || name.length > MAX_COMPARED_LENGTH) return [];
  // In a name of one or two letters every other letter is too many.
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
    // Not in the order of the candidates: that may tell where others are that must not be named.
    near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
    if (near.length > MAX_NAMES) near.pop();
    // From now on a worse one does not matter.
    if (near.length === MAX_NAMES) limit = near.at(-1)?.distance ?? 0;
  }
  return near.map((entry) => entry.name);
}

/** ` Did you mean "…"?` for the name most like the given one; nothing when none is. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  return suggest(findNearestNames(name, candidates));
}

/** The same for names that were found already, best first. */
export function suggest([nearest]: readonly string[]): string {
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/**
 * Levenshtein's distance up to a limit, with two letters swapped as one difference; more than the limit means only "too far". Equal beginnings and ends are cut off first, and
 * of each row only the cells near the diagonal are computed: names in one registry are alike.
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
  /** The same of the row before. */
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

/** Whether the two letters before these places are the same, the other way round. */
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
