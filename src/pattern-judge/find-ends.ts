import type { Search, Text } from './run/search.ts';
import type { Graph } from './graph/graph.ts';
import { toText } from './measure-growth.ts';
import type { Attack } from './measure-growth.ts';

/** Enough rounds to distinguish extra paths from merely long ones. */
const TRIAL_ROUNDS = 24;
const MAX_TRIAL_STEPS = 5000;
const MAX_ENDS = 2;
/** Length of the long end: a suffix that can follow a few times rarely follows this many times. */
const LONG_END = 100;

/** Ends of an attack that take many steps, usually because every path fails there; the last one is long. */
export function findEnds(search: Search, pumps: Attack['pumps'], graph: Graph): Text[] {
  const suggested = suggestEnds(graph, toText({ pumps, end: [] }, 3));
  const [letter = 0] = suggested[1] ?? [];
  return [
    ...suggested
      .map((end) => ({
        end,
        steps: search.everywhere(toText({ pumps, end }, TRIAL_ROUNDS), MAX_TRIAL_STEPS),
      }))
      .toSorted((a, b) => b.steps - a.steps)
      .slice(0, MAX_ENDS)
      .map(({ end }) => end),
    Array.from({ length: LONG_END }, () => letter),
  ];
}

/** Maximum number of different ends that are considered, and of those that are tried. */
const MAX_LOOKED_AT = 60;
const MAX_SUGGESTED = 8;

interface Reached {
  readonly text: Text;
  readonly states: ReadonlySet<number>;
}

/** Of ends that lead to the same states one is enough. Those with the fewest continuations come first. */
function suggestEnds(graph: Graph, text: Text): Text[] {
  let states: ReadonlySet<number> = new Set([graph.start]);
  for (const letter of text) states = graph.after(states, letter);
  const reached: Reached[] = [{ text: [], states }];
  const known = new Set<string>();
  for (const { text: before, states: from } of reached) {
    for (let letter = 0; letter < graph.letterCount && before.length < 2; letter += 1) {
      const next = graph.after(from, letter);
      const key = [...next].join();
      if (known.has(key) || reached.length > MAX_LOOKED_AT) continue;
      known.add(key);
      reached.push({ text: [...before, letter], states: next });
    }
  }
  const [nothing, ...others] = reached;
  const best = others.toSorted((a, b) => a.states.size - b.states.size).slice(0, MAX_SUGGESTED);
  return [nothing?.text ?? [], ...best.map(({ text: end }) => end)];
}

/** A prefix that keeps a search from matching right at the beginning. */
export function findBarrier(graph: Graph): Text {
  let best: { readonly letter: number; readonly size: number } | undefined;
  for (let letter = 0; letter < graph.letterCount; letter += 1) {
    const { size } = graph.after([graph.start], letter);
    if (best === undefined || size < best.size) best = { letter, size };
  }
  return best === undefined ? [] : [best.letter];
}
