import type { RunError, RunResult, TestOutcome, TestResult } from '../test-run.ts';
import type { StoredOutcome } from './run-record.ts';

/** Failures first. */
const RANKS: Readonly<Record<TestOutcome, number>> = {
  failed: 0,
  error: 1,
  xpassed: 2,
  xfailed: 3,
  skipped: 4,
  passed: 5,
};

const MAX_COMMAND = 100;

interface Fitted<TEntry> {
  readonly entries: readonly TEntry[];
  readonly bytes: number;
  /** Entries in their short form. */
  readonly shortened: number;
  readonly omitted: number;
}

/** Shortens an outcome to about `maxBytes` of JSON. Failed tests keep their details the longest. */
export function fitOutcome(outcome: RunResult | RunError, maxBytes: number): StoredOutcome {
  const { tests, collection_errors, warnings, command, ...rest } = outcome;
  const short = {
    ...rest,
    command:
      command.length <= MAX_COMMAND
        ? command
        : [...command.slice(0, MAX_COMMAND), `[${command.length - MAX_COMMAND} arguments omitted]`],
  };
  const free = Math.max(0, maxBytes - sizeOf(short));
  const errors = fit(collection_errors, free / 4, (error) => ({ ...error, traceback: [] }));
  const warned = fit(warnings, free / 8, () => undefined);
  const tested = fit(orderByOutcome(tests), free - errors.bytes - warned.bytes, withoutDetails);
  return {
    ...short,
    tests: tested.entries,
    collection_errors: errors.entries,
    warnings: warned.entries,
    omitted: {
      tests: tested.omitted,
      collection_errors: errors.omitted,
      warnings: warned.omitted,
      details: tested.shortened,
    },
  };
}

function orderByOutcome(tests: readonly TestResult[]): readonly TestResult[] {
  return tests.toSorted((a, b) => RANKS[a.outcome] - RANKS[b.outcome]);
}

function withoutDetails(test: TestResult): TestResult {
  return { ...test, message: null, phases: [], traceback: [], causes: [], assertion: null, captured: [] };
}

/** Keeps entries while there is room. Half of the room is for details; then entries are kept in their short form. */
function fit<TEntry>(
  all: readonly TEntry[],
  maxBytes: number,
  shorten: (entry: TEntry) => TEntry | undefined,
): Fitted<TEntry> {
  const entries: TEntry[] = [];
  let bytes = 0;
  let shortened = 0;
  for (const entry of all) {
    const whole = sizeOf(entry);
    if (bytes + whole <= maxBytes / 2) {
      entries.push(entry);
      bytes += whole;
      continue;
    }
    const short = shorten(entry);
    const size = short === undefined ? 0 : sizeOf(short);
    if (short === undefined || bytes + size > maxBytes) continue;
    entries.push(short);
    bytes += size;
    shortened += 1;
  }
  return { entries, bytes, shortened, omitted: all.length - entries.length };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}
