import type { AssertionValues, CapturedOutput, CollectionError, DiscoveredTest } from '../test-run.ts';
import type { TestError, TestWarning, TracebackFrame } from '../test-run.ts';

interface NodeEvent {
  readonly node_id: string;
}

/** One phase of a test. The details are there if it failed. */
export interface PhaseEvent extends NodeEvent {
  readonly event: 'phase';
  readonly phase: string;
  readonly outcome: string;
  readonly xfail: boolean;
  readonly message: string | null;
  readonly captured: readonly CapturedOutput[];
  readonly duration: number;
  readonly error_type?: string;
  readonly traceback?: readonly TracebackFrame[];
  readonly causes?: readonly TestError[];
  readonly assertion?: AssertionValues | null;
}

/** One line of the plugin in `python/plugin`. */
export type PytestEvent =
  | {
      readonly event: 'session';
      readonly python: string;
      readonly python_version: string;
      readonly pytest_version: string;
    }
  | ({ readonly event: 'collection_error' } & CollectionError)
  | ({ readonly event: 'collection_skip'; readonly message: string | null } & NodeEvent)
  | ({ readonly event: 'item' } & DiscoveredTest)
  | { readonly event: 'collected'; readonly total: number }
  | ({ readonly event: 'started' } & NodeEvent)
  | PhaseEvent
  | ({ readonly event: 'finished' } & NodeEvent)
  | ({ readonly event: 'warning' } & TestWarning)
  | { readonly event: 'ended'; readonly exit_code: number };

/** A line that is no event, such as one that was cut off when pytest was killed, is `undefined`. */
export function parseEvent(line: string): PytestEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // Only the plugin knows the descriptor, so an object with an event is one of its events.
    return typeof value === 'object' && value !== null && 'event' in value
      ? (value as PytestEvent)
      : undefined;
  } catch {
    return undefined;
  }
}
