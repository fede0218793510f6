import type { Graph, Loop } from './graph.ts';
import { UnreadablePattern } from '../syntax/parse-pattern.ts';

/** The states of all runs after a letter. */
export type Step = readonly number[];

/** A path to a loop, and an ambiguous round through it. Any letter that all states of a step read may be used. */
export interface Pump {
  readonly before: readonly Step[];
  readonly round: readonly Step[];
  /** The states that the round returns to; two if it can stay in one loop or leave it for another. */
  readonly from: number;
  readonly to: number;
}

/** Maximum number of pumps. */
const MAX_PUMPS = 60;
/** Maximum number of pumps per loop: they are mostly equivalent. */
const MAX_PUMPS_OF_LOOP = 4;

/**
 * Finds strings that can match in more and more ways as they grow. That makes a search slow: when all of them fail, all were tried. Either
 * a string has two paths around one loop, and the paths double with every round (exponential); or it goes around one loop, around a later
 * one, and from the first to the second, and the paths grow with the length (polynomial).
 */
export function findPumps(graph: Graph): readonly Pump[] {
  const search: Search = { graph, pumps: [] };
  const loops = graph.loops();
  for (const loop of loops) findWithin(search, loop);
  for (const from of loops) {
    const reachable = graph.reachable(from);
    for (const to of loops) {
      const [some = -1] = to;
      if (from !== to && reachable.has(some)) findBetween(search, from, to);
    }
  }
  return search.pumps;
}

interface Search {
  readonly graph: Graph;
  readonly pumps: Pump[];
}

/** A position of a search through several states at once, and its predecessor. */
interface Trace<TStates extends Step> {
  readonly states: TStates;
  readonly parent: Trace<TStates> | undefined;
}

function stepsTo<TStates extends Step>(trace: Trace<TStates>): Step[] {
  const steps: Step[] = [];
  for (let at = trace; at.parent !== undefined; at = at.parent) steps.push(at.states);
  return steps.toReversed();
}

type Pair = readonly [number, number];

/** Two paths around one loop: two runs that diverge at one state and meet again. */
function findWithin(search: Search, loop: Loop): void {
  const { graph, pumps } = search;
  const seen = new Set<number>();
  const open: Trace<Pair>[] = [];
  const limit = pumps.length + MAX_PUMPS_OF_LOOP;
  const report = (origin: number, trace: Trace<Pair>): void => {
    const back = graph.path(trace.states[0], origin) ?? [];
    const round = [...stepsTo(trace), ...back.map((state) => [state])];
    addPump(search, { round, from: origin, to: origin });
  };
  for (const origin of loop) {
    open.push({ states: [origin, origin], parent: undefined });
  }
  for (const trace of open) {
    if (pumps.length >= limit) return;
    const [left, right] = trace.states;
    const isParting = trace.parent === undefined;
    for (const one of graph.next(left)) {
      if (!loop.has(one)) continue;
      for (const other of graph.next(right)) {
        // From one state only: two paths, or one ambiguous edge. The order of the runs does not matter.
        if (isParting && (other < one || (one === other && !graph.isDouble(left, one)))) continue;
        if (!loop.has(other) || graph.common(one, other) === -1) continue;
        const next: Trace<Pair> = { states: one < other ? [one, other] : [other, one], parent: trace };
        const key = next.states[0] * graph.size + next.states[1];
        if (one === other) report(originOf(next), next);
        else if (!seen.has(key)) {
          seen.add(key);
          open.push(next);
        }
      }
    }
  }
}

function originOf(trace: Trace<Pair>): number {
  let at = trace;
  while (at.parent !== undefined) at = at.parent;
  return at.states[0];
}

type Triple = readonly [number, number, number];

/** One string around the first loop, around the second, and from the first to the second. */
function findBetween(search: Search, from: Loop, to: Loop): void {
  if (!canLeave(search, from, to)) return;
  for (const start of from) {
    for (const end of to) {
      const round = findRound(search, { from, to, start, end });
      if (round === undefined) continue;
      addPump(search, { round, from: start, to: end });
      return;
    }
  }
}

/** Whether a run can get from the first loop to the second while another stays in the first. */
function canLeave(search: Search, from: Loop, to: Loop): boolean {
  const { graph } = search;
  const seen = new Set<number>();
  const open = [...from].map((state): Pair => [state, state]);
  for (const [staying, passing] of open) {
    for (const stay of graph.next(staying)) {
      if (!from.has(stay)) continue;
      for (const pass of graph.next(passing)) {
        const key = stay * graph.size + pass;
        if (seen.has(key) || graph.common(stay, pass) === -1) continue;
        if (to.has(pass)) return true;
        seen.add(key);
        open.push([stay, pass]);
      }
    }
  }
  return false;
}

interface Ends {
  readonly from: Loop;
  readonly to: Loop;
  readonly start: number;
  readonly end: number;
}

function findRound(search: Search, { from, to, start, end }: Ends): Step[] | undefined {
  const { graph } = search;
  const seen = new Set<number>();
  const open: Trace<Triple>[] = [{ states: [start, start, end], parent: undefined }];
  for (const trace of open) {
    const [staying, passing, going] = trace.states;
    for (const stay of graph.next(staying)) {
      if (!from.has(stay)) continue;
      for (const go of graph.next(going)) {
        if (!to.has(go) || graph.common(stay, go) === -1) continue;
        for (const pass of graph.next(passing)) {
          const key = (stay * graph.size + pass) * graph.size + go;
          if (seen.has(key) || graph.common(stay, go, pass) === -1) continue;
          seen.add(key);
          const next: Trace<Triple> = { states: [stay, pass, go], parent: trace };
          if (stay === start && pass === end && go === end) return stepsTo(next);
          open.push(next);
        }
      }
    }
  }
  return undefined;
}

function addPump({ graph, pumps }: Search, found: Omit<Pump, 'before'>): void {
  const before = graph.path(graph.start, found.from)?.map((state) => [state]);
  if (before !== undefined) pumps.push({ ...found, before });
  if (pumps.length > MAX_PUMPS) throw new UnreadablePattern('it can match in too many ways');
}
