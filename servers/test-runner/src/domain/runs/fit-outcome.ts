import type { RunError, RunResult, TestOutcome, TestResult } from '../test-run.ts';
import { toResourceBytes } from './resource-size.ts';
import type { StoredOutcome, StoredTest } from './run-record.ts';

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

interface Shortening<TEntry> {
  /** The short form of an entry; `undefined` if it has none. */
  readonly shorten: (entry: TEntry) => TEntry | undefined;
  /** Whether the details of an entry are kept while there is room. */
  readonly matters: (entry: TEntry) => boolean;
}

/** Shortens an outcome to about `maxBytes` in a resource. Passed tests lose their details first, failed tests last. */
export function fitOutcome(outcome: RunResult | RunError, maxBytes: number): StoredOutcome {
  const { tests, collection_errors, warnings, command, ...rest } = outcome;
  const short = {
    ...rest,
    command:
      command.length <= MAX_COMMAND
        ? command
        : [...command.slice(0, MAX_COMMAND), `[${command.length - MAX_COMMAND} arguments omitted]`],
  };
  const free = Math.max(0, maxBytes - toResourceBytes(short));
  const errors = fit(collection_errors, free / 4, {
    shorten: (error) => ({ ...error, traceback: [] }),
    matters: () => true,
  });
  const warned = fit(warnings, free / 8, { shorten: () => undefined, matters: () => true });
  const tested = fit<StoredTest>(orderByOutcome(tests), free - errors.bytes - warned.bytes, {
    shorten: ({ node_id, outcome, duration }) => ({ node_id, outcome, duration }),
    matters: ({ outcome }) => outcome !== 'passed',
  });
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

/** Keeps all entries if there is room. Otherwise, half of the room is for details of entries that matter; the others are kept in their short form. */
function fit<TEntry>(
  all: readonly TEntry[],
  maxBytes: number,
  { shorten, matters }: Shortening<TEntry>,
): Fitted<TEntry> {
  const total = all.reduce((sum, entry) => sum + toResourceBytes(entry), 0);
  if (total <= maxBytes) return { entries: all, bytes: total, shortened: 0, omitted: 0 };
  const entries: TEntry[] = [];
  let bytes = 0;
  let shortened = 0;
  for (const entry of all) {
    const whole = toResourceBytes(entry);
    if (matters(entry) && bytes + whole <= maxBytes / 2) {
      entries.push(entry);
      bytes += whole;
      continue;
    }
    const short = shorten(entry);
    const size = short === undefined ? 0 : toResourceBytes(short);
    if (short === undefined || bytes + size > maxBytes) continue;
    entries.push(short);
    bytes += size;
    shortened += 1;
  }
  return { entries, bytes, shortened, omitted: all.length - entries.length };
}
