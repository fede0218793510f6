import type { AthleteFigures } from '../../athlete/athlete-figures.ts';
import type { Timeframe } from '../../calendar/timeframes.ts';
import type { Source } from '../../providers/source.ts';

/** Suggestion for a pattern that the data of a period are too few for. */
export const LONGER = 'Use a longer timeframe.';

export interface PatternRequest {
  readonly source: Source;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Undefined: the default of the pattern. */
  readonly timeframe: Timeframe | undefined;
  readonly athlete: AthleteFigures;
}

/** One rule, and whether it applies. */
export interface PatternFinding {
  readonly pattern: string;
  readonly detected: boolean;
  readonly finding: string;
  readonly reason: string;
}

/** Members of a result. */
export interface PatternResult {
  readonly data: {
    /** `YYYY-MM-DD`, both inclusive. */
    readonly from: string;
    readonly to: string;
    readonly findings: readonly PatternFinding[];
    readonly [name: string]: unknown;
  };
  readonly notes: readonly string[];
}
