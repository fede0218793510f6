import type { Search, Text } from './run/search.ts';
import type { SpeltPump } from './graph/spell.ts';
import { stepsBetween } from './run/steps.ts';
import type { Sample, Steps } from './run/steps.ts';

/** A slow string: each pump repeated `rounds` times after its prefix, then an end that does not match. */
export interface Attack {
  readonly pumps: readonly SpeltPump[];
  readonly end: Text;
}

/** Growth of the steps of a search with the length of an attack. */
export interface Growth {
  /** Exponent of the growth; infinite if the steps double with every few characters. */
  readonly degree: number;
  /** Length of the longest attack that takes at most {@link HARMLESS_STEPS}. */
  readonly harmlessLength: number;
  readonly steps: Steps;
}

/** Less than 5 ms in the engine, even while it interprets a new expression. */
export const HARMLESS_STEPS = 500_000;
/** Maximum steps of one measurement. */
const MAX_STEPS = 60_000;
const MAX_LENGTH = 20_000;
/** Exponent halfway between linear and quadratic. */
const STEEP = 1.5;

/** The string of an attack. */
export function toText({ pumps, end }: Attack, rounds: number): Text {
  const text: number[] = [];
  for (const { before, pump } of pumps) {
    for (const letter of before) text.push(letter);
    for (let round = 0; round < rounds; round += 1) for (const letter of pump) text.push(letter);
  }
  for (const letter of end) text.push(letter);
  return text;
}

/** Measures attacks with more and more rounds. Undefined if the steps grow no faster than the string. */
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

/** Maximum rounds of an attack within this length. */
export function roundsOf(attack: Attack, length: number): number {
  const [none, one] = [toText(attack, 0).length, toText(attack, 1).length];
  return Math.max(1, Math.floor((length - none) / (one - none)));
}

/** Maximum factor by which an attack at the bound may exceed the estimate. */
const MARGIN = 2;

/**
 * The longest harmless attack below a bound. The measured attacks were short: after a part that reads a number of characters, another may
 * begin to multiply. Undefined if the bound is correct.
 */
export function correctBound(search: Search, attack: Attack, bound: number): Growth | undefined {
  const allowed = MARGIN * HARMLESS_STEPS;
  const isHarmless = (rounds: number): boolean =>
    search.everywhere(toText(attack, rounds), allowed) <= allowed;
  let tooMany = roundsOf(attack, bound);
  if (isHarmless(tooMany)) return undefined;
  let harmless = 0;
  while (tooMany - harmless > 1) {
    const middle = Math.floor((harmless + tooMany) / 2);
    if (isHarmless(middle)) harmless = middle;
    else tooMany = middle;
  }
  const harmlessLength = Math.max(0, toText(attack, harmless).length);
  const more = search.everywhere(toText(attack, tooMany + Math.ceil(tooMany / 8)), 2 * allowed);
  return {
    degree: more > 2 * allowed ? Number.POSITIVE_INFINITY : POWER,
    harmlessLength,
    steps: (length) => allowed * (length / harmlessLength) ** POWER,
  };
}

/** Exponent of the estimate; for faster growth, shorter strings take fewer steps than estimated. */
const POWER = 3;

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
  // The measured part of the curve is its flat part, so this adds a margin.
  const more = Math.log(Math.max(1, left / 30)) / perCharacter;
  const harmlessLength = longer.length + Math.floor(more);
  const rate = Math.log(left) / Math.max(1, harmlessLength - longer.length);
  return {
    degree: Number.POSITIVE_INFINITY,
    harmlessLength,
    steps: stepsBetween(samples, (length) => longer.steps * Math.exp(rate * (length - longer.length))),
  };
}

/** Exponent of the growth between the last two samples. */
function slope(samples: readonly Sample[]): number {
  const [shorter, longer] = samples.slice(-2);
  if (shorter === undefined || longer === undefined) return Number.POSITIVE_INFINITY;
  return Math.log2(longer.steps / shorter.steps);
}
