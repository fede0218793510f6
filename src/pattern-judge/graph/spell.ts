import type { Pump, Step } from './ambiguity.ts';
import type { Text } from '../run/search.ts';
import type { Graph } from './graph.ts';

/** A pump in letters. */
export interface SpeltPump {
  readonly before: Text;
  readonly pump: Text;
}

/** Chooses the letters of a pump in several ways. Assertions depend on adjacent letters: those in `beside`, or others. */
export function spell(
  graph: Graph,
  { before, round }: Pick<Pump, 'before' | 'round'>,
  beside: readonly (readonly boolean[])[],
): SpeltPump[] {
  const steps = [...before, ...round].map((states) => graph.shared(states));
  const plain = steps.map(([letter = 0]) => letter);
  const texts = [
    plain,
    [...plain.slice(0, before.length), ...spellQuietly(graph, plain, steps.slice(before.length))],
  ];
  for (const letters of beside) {
    const pick = (isIn: boolean) => (choice: readonly number[]) =>
      choice.find((letter) => letters[letter] === isIn) ?? choice[0] ?? 0;
    // Every round has such an assertion.
    texts.push([...steps.map(pick(true)), ...steps.slice(before.length).map(pick(false))]);
  }
  const unique = new Map(texts.map((text) => [text.join(), text]));
  return [...unique.values()].map((text) => ({
    before: text.slice(0, before.length),
    pump: text.slice(before.length),
  }));
}

/** The letters with the fewest other paths: a path that leads to a match ends the search before it is slow. */
function spellQuietly(graph: Graph, before: Text, round: readonly Step[]): Text {
  let states: ReadonlySet<number> = new Set([graph.start]);
  for (const letter of before) states = graph.after(states, letter);
  return round.map((letters) => {
    const ways = letters.map((letter) => ({ letter, states: graph.after(states, letter) }));
    const [quietest] = ways.toSorted((a, b) => a.states.size - b.states.size);
    states = quietest?.states ?? states;
    return quietest?.letter ?? 0;
  });
}
