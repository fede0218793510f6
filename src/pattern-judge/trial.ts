import type { Pump } from './graph/ambiguity.ts';
import { findBarrier, findEnds } from './find-ends.ts';
import type { Graph } from './graph/graph.ts';
import { measureGrowth } from './measure-growth.ts';
import type { Attack, Growth } from './measure-growth.ts';
import { UnreadablePattern } from './syntax/parse-pattern.ts';
import type { Search } from './run/search.ts';
import { spell } from './graph/spell.ts';

/** A slow string and its growth. */
export interface Found {
  readonly attack: Attack;
  readonly growth: Growth;
}

/** Properties of a pattern for its trial. */
export interface Traits {
  readonly largestCount: number;
  /** Word characters and line ends, if the pattern has assertions about them. */
  readonly beside: readonly (readonly boolean[])[];
  /** Whether the pattern may match at the beginning of a string and nowhere else. */
  readonly mayMatchAtStart: boolean;
}

/** Maximum steps of all searches for one pattern, and the maximum once a slow string is known. */
const MAX_STEPS = 4_000_000;
const MAX_MORE_STEPS = 600_000;
/** Maximum number of pumps tried in pairs: two slow places in sequence are slower than each. */
const MAX_PAIRED = 4;

/** Tries suspects and keeps the worst. */
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

  /** Whether further trials cannot change the result. */
  get #isOver(): boolean {
    const isSpent = this.#steps > this.#allowed;
    if (isSpent && this.worst === undefined) throw new UnreadablePattern('judging it would take too long');
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
