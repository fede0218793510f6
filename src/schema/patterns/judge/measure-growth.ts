import type { Search, Text } from './search.ts';
import type { SpeltPump } from './spell.ts';

/** A text that was made to be slow: each pump `rounds` times after what leads to it, then an end that fits nowhere. */
export interface Attack {
  readonly pumps: readonly SpeltPump[];
  readonly end: Text;
}

/** How the steps of a search grow with the length of an attack. */
export interface Growth {
  /** Steps grow like this power of the length; infinite when they double with every few characters. */
  readonly degree: number;
  /** The longest attack that takes no more than {@link HARMLESS_STEPS}. */
  readonly harmlessLength: number;
}

/** About 10 ms of the engine's time. One value may be held against a pattern more than once, to say what is wrong with it. */
const HARMLESS_STEPS = 2_000_000;
/** What one measurement may take. */
const MAX_STEPS = 60_000;
const MAX_LENGTH = 20_000;
/** Halfway between linear and quadratic. */
const STEEP = 1.5;

/** The text of an attack. */
export function toText({ pumps, end }: Attack, rounds: number): Text {
  const text: number[] = [];
  for (const { before, pump } of pumps) {
    for (const letter of before) text.push(letter);
    for (let round = 0; round < rounds; round += 1) for (const letter of pump) text.push(letter);
  }
  for (const letter of end) text.push(letter);
  return text;
}

interface Sample {
  readonly rounds: number;
  readonly length: number;
  readonly steps: number;
}

/** Measures attacks of more and more rounds. Undefined when the steps grow no faster than the text. */
export function measureGrowth(search: Search, attack: Attack, largestCount: number): Growth | undefined {
  const samples: Sample[] = [];
  for (let rounds = 1; (samples.at(-1)?.length ?? 0) < MAX_LENGTH; rounds *= 2) {
    const text = toText(attack, rounds);
    const steps = Math.max(1, search.everywhere(text, MAX_STEPS));
    if (steps > MAX_STEPS) break;
    samples.push({ rounds, length: text.length, steps });
    if (rounds >= 64 && text.length > 4 * largestCount && slope(samples) < STEEP) return undefined;
  }
  const growth = growthOf(samples);
  if (growth === undefined || endsWithCounts(search, attack, largestCount)) return undefined;
  return growth;
}

function growthOf(samples: readonly Sample[]): Growth | undefined {
  const degree = slope(samples);
  if (degree < STEEP) return undefined;
  const [shorter, longer] = samples.slice(-2);
  if (shorter === undefined || longer === undefined)
    return { degree: Number.POSITIVE_INFINITY, harmlessLength: shorter?.length ?? 0 };
  const left = HARMLESS_STEPS / longer.steps;
  if (degree <= 3 || degree <= 1.3 * slope(samples.slice(0, -1)))
    return { degree, harmlessLength: Math.floor(longer.length * left ** (1 / Math.ceil(degree - 0.2))) };
  const perCharacter = Math.log(longer.steps / shorter.steps) / (longer.length - shorter.length);
  // What was seen of the curve is its flat part: a margin.
  const more = Math.log(Math.max(1, left / 30)) / perCharacter;
  return { degree: Number.POSITIVE_INFINITY, harmlessLength: longer.length + Math.floor(more) };
}

/** The power by which the steps grew from the last sample but one to the last. */
function slope(samples: readonly Sample[]): number {
  const [shorter, longer] = samples.slice(-2);
  if (shorter === undefined || longer === undefined) return Number.POSITIVE_INFINITY;
  return Math.log2(longer.steps / shorter.steps);
}

/** Repetitions of so few rounds have come to their end long before. */
const FEW_ROUNDS = 16;
const MANY_ROUNDS = 3000;
/** What a search from one position may take, to find that it takes no more however long the text is. */
const MAX_STEPS_OF_ONE = 1_000_000;
/** So many characters must take no more than so many steps: about 200 ms of the engine's time. */
const LONG_TEXT = 50_000;
const STEPS_OF_LONG_TEXT = 50_000_000;

/** Whether it is only that a counted repetition had not come to its end: then the steps grow like the text in the end. */
function endsWithCounts(search: Search, attack: Attack, largestCount: number): boolean {
  if (largestCount <= FEW_ROUNDS || largestCount > MANY_ROUNDS) return false;
  const period = attack.pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const rounds = Math.ceil((4 * largestCount) / period);
  // The search may begin before the first pump, or with it.
  const starts = new Set([0, attack.pumps[0]?.before.length ?? 0]);
  const stepsOf = (text: Text): number =>
    Math.max(...Array.from(starts, (start) => search.from(start, text, MAX_STEPS_OF_ONE)));
  const short = stepsOf(toText(attack, rounds));
  const long = short > MAX_STEPS_OF_ONE ? short : stepsOf(toText(attack, 2 * rounds));
  if (long > Math.min(MAX_STEPS_OF_ONE, 1.2 * short)) return false;
  return search.isAnchored || (long * LONG_TEXT) / period <= STEPS_OF_LONG_TEXT;
}
