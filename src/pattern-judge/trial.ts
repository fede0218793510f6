import type { Pump } from './graph/ambiguity.ts';
import { findBarrier, findEnds } from './find-ends.ts';
import type { Graph } from './graph/graph.ts';
import { measureGrowth } from './measure-growth.ts';
import type { Attack, Growth } from './measure-growth.ts';
import { UnreadablePattern } from './syntax/parse-pattern.ts';
import type { Search } from './run/search.ts';
import { spell } from './graph/spell.ts';

/** A text that takes long, and how long. */
export interface Found {
  readonly attack: Attack;
  readonly growth: Growth;
}

/** What matters about a pattern while it is tried out. */
export interface Traits {
  readonly largestCount: number;
  /** The letters of words and the ends of lines, where the pattern asks for the edges of those. */
  readonly beside: readonly (readonly boolean[])[];
  /** Whether something may match at the beginning of a text and nowhere else. */
  readonly mayMatchAtStart: boolean;
}

/** What all searches for one pattern may take together, and what they may still take when a slow text is known. */
const MAX_STEPS = 4_000_000;
const MAX_MORE_STEPS = 600_000;
/** How many pumps are tried in pairs: two slow places behind each other are slower than each. */
const MAX_PAIRED = 4;

/** Tries suspects out, and remembers the worst. */
export class Trial {
  worst: Found | undefined;
  readonly #search: Search;
  readonly #traits: Traits;
  #steps = 0;
  #allowed = MAX_STEPS;

  constructor(search: Search, traits: Traits) {
    this.#traits = traits;
    this.#search = {
      everywhere: (text, allowed) => {
        const steps = search.everywhere(text, allowed);
        this.#steps += steps;
        return steps;
      },
    };
  }

  /** Whether nothing more is to be learnt. */
  get #isOver(): boolean {
    const isSpent = this.#steps > this.#allowed;
    if (isSpent && this.worst === undefined)
      throw new UnreadablePattern('judging it would take too long');
    return isSpent || this.worst?.growth.degree === Number.POSITIVE_INFINITY;
  }

  tryAll(pumps: readonly Pump[], graph: Graph): void {
    const { beside, mayMatchAtStart } = this.#traits;
    for (const pump of pumps) {
      const needsBarrier = mayMatchAtStart && pump.from === graph.start;
      for (const spelt of spell(graph, pump, beside))
        this.#try([needsBarrier ? { ...spelt, before: findBarrier(graph) } : spelt], graph);
    }
    if (this.worst !== undefined) this.#tryPairs(pumps.slice(0, MAX_PAIRED), graph);
  }

  #tryPairs(pumps: readonly Pump[], graph: Graph): void {
    for (const first of pumps) {
      for (const second of pumps) {
        const before = first === second ? undefined : graph.path(first.to, second.from);
        if (before === undefined) continue;
        const [one] = spell(graph, first, []);
        const [other] = spell(graph, { before: before.map((state) => [state]), round: second.round }, []);
        if (one !== undefined && other !== undefined) this.#try([one, other], graph);
      }
    }
  }

  #try(pumps: Attack['pumps'], graph: Graph): void {
    if (this.#isOver) return;
    for (const end of findEnds(this.#search, pumps, graph)) {
      const attack = { pumps, end };
      const growth = measureGrowth(this.#search, attack, this.#traits.largestCount);
      if (growth === undefined) continue;
      this.#allowed = Math.min(this.#allowed, this.#steps + MAX_MORE_STEPS);
      if (this.worst === undefined || growth.harmlessLength < this.worst.growth.harmlessLength)
        this.worst = { attack, growth };
      return;
    }
  }
}
