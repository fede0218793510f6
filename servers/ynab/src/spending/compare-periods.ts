import { compareNames } from './analyze-spending.ts';
import type { SpendingAnalysis, SpendingFigures, SpendingGroup } from './analyze-spending.ts';

/** A group in both periods. Figures are 0 in a period without the group. */
export interface ComparedGroup {
  readonly key: string | null;
  readonly name: string;
  readonly a: SpendingFigures;
  readonly b: SpendingFigures;
  readonly difference: SpendingFigures;
}

/** Two periods. A difference is b minus a: positive if the figure grew. */
export interface PeriodComparison {
  readonly a: SpendingAnalysis;
  readonly b: SpendingAnalysis;
  readonly difference: SpendingFigures;
  readonly groups: readonly ComparedGroup[];
}

const NONE: SpendingFigures = { income: 0, spending: 0, net: 0, count: 0 };

/** Compares two periods, in total and by group, the largest change of spending first. Throws a `RangeError` if they are grouped differently. */
export function comparePeriods(a: SpendingAnalysis, b: SpendingAnalysis): PeriodComparison {
  for (const option of ['groupBy', 'includeTransfers'] as const) {
    if (a.options[option] !== b.options[option])
      throw new RangeError(
        `The periods differ in ${option} (${a.options[option]} and ${b.options[option]}). Analyze both with the same value.`,
      );
  }
  const inA = new Map(a.groups.map((group) => [group.key, group]));
  const inB = new Map(b.groups.map((group) => [group.key, group]));
  const groups = [...new Map([...inA, ...inB]).values()]
    .map(({ key, name }) => toCompared({ key, name }, inA.get(key), inB.get(key)))
    .toSorted(
      (one, other) =>
        Math.abs(other.difference.spending) - Math.abs(one.difference.spending) || compareNames(one, other),
    );
  return { a, b, difference: subtract(b, a), groups };
}

function toCompared(
  names: Pick<SpendingGroup, 'key' | 'name'>,
  a: SpendingFigures = NONE,
  b: SpendingFigures = NONE,
): ComparedGroup {
  return { ...names, a: toFigures(a), b: toFigures(b), difference: subtract(b, a) };
}

function toFigures({ income, spending, net, count }: SpendingFigures): SpendingFigures {
  return { income, spending, net, count };
}

function subtract(one: SpendingFigures, other: SpendingFigures): SpendingFigures {
  return {
    income: one.income - other.income,
    spending: one.spending - other.spending,
    net: one.net - other.net,
    count: one.count - other.count,
  };
}
