import type { Search, Text } from './search.ts';
import type { SpeltPump } from './spell.ts';
import { stepsBetween } from './steps.ts';
import type { Sample, Steps } from './steps.ts';

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
  readonly steps: Steps;
}

/** Below 5 ms of the engine's time, also while it interprets an expression that is new. */
export const HARMLESS_STEPS = 500_000;
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

/** Measures attacks of more and more rounds. Undefined when the steps grow no faster than the text. */
export function measureGrowth(search: Search, attack: Attack, largestCount: number): Growth | undefined {
  const samples: Sample[] = [];
  for (let rounds = 1; (samples.at(-1)?.length ?? 0) < MAX_LENGTH; rounds *= 2) {
    const text = toText(attack, rounds);
    const steps = Math.max(1, search.everywhere(text, MAX_STEPS));
    if (steps > MAX_STEPS) break;
    samples.push({ length: text.length, steps });
    if (rounds >= 64 && text.length > 4 * largestCount && slope(samples) < STEEP) return undefined;
  }
  return growthOf(samples);
}

function growthOf(samples: readonly Sample[]): Growth | undefined {
  const degree = slope(samples);
  if (degree < STEEP) return undefined;
  const [shorter, longer] = samples.slice(-2);
  if (shorter === undefined || longer === undefined)
    return {
      degree: Number.POSITIVE_INFINITY,
      harmlessLength: shorter?.length ?? 0,
      steps: () => HARMLESS_STEPS,
    };
  const left = HARMLESS_STEPS / longer.steps;
  if (degree <= 3 || degree <= 1.3 * slope(samples.slice(0, -1))) {
    const power = Math.ceil(degree - 0.2);
    return {
      degree,
      harmlessLength: Math.floor(longer.length * left ** (1 / power)),
      steps: stepsBetween(samples, (length) => longer.steps * (length / longer.length) ** power),
    };
  }
  const perCharacter = Math.log(longer.steps / shorter.steps) / (longer.length - shorter.length);
  // What was seen of the curve is its flat part: a margin.
  const more = Math.log(Math.max(1, left / 30)) / perCharacter;
  const harmlessLength = longer.length + Math.floor(more);
  const rate = Math.log(left) / Math.max(1, harmlessLength - longer.length);
  return {
    degree: Number.POSITIVE_INFINITY,
    harmlessLength,
    steps: stepsBetween(samples, (length) => longer.steps * Math.exp(rate * (length - longer.length))),
  };
}

/** The power by which the steps grew from the last sample but one to the last. */
function slope(samples: readonly Sample[]): number {
  const [shorter, longer] = samples.slice(-2);
  if (shorter === undefined || longer === undefined) return Number.POSITIVE_INFINITY;
  return Math.log2(longer.steps / shorter.steps);
}
