import type { AssertionValues, CapturedOutput, CollectionError, DiscoveredTest } from '../test-run.ts';
import type { TestError, TestWarning, TracebackFrame } from '../test-run.ts';
import { isEvent } from './event-shapes.ts';

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

/** One line of the plugin in `python/plugin`, of the reporter in `node/vitest`, or of a supervisor. */
export type RunnerEvent =
  | {
      readonly event: 'session';
      readonly interpreter: string;
      readonly interpreter_version: string;
      readonly runner_version: string;
    }
  | ({ readonly event: 'collection_error' } & CollectionError)
  | ({ readonly event: 'collection_skip'; readonly message: string | null } & NodeEvent)
  | ({ readonly event: 'item' } & DiscoveredTest)
  | { readonly event: 'collected'; readonly total: number }
  | ({ readonly event: 'started' } & NodeEvent)
  | PhaseEvent
  | ({ readonly event: 'finished' } & NodeEvent)
  /** A test that did not run, because enough others failed. It has no result. */
  | ({ readonly event: 'cancelled' } & NodeEvent)
  | ({ readonly event: 'warning' } & TestWarning)
  /** Files of tests, where a runner reports them: a worker can hang in a file before its first test is reported. */
  | ({ readonly event: 'file_started' | 'file_finished' } & NodeEvent)
  /** The reason for which the run does not come to its end. */
  | { readonly event: 'problem'; readonly message: string }
  | { readonly event: 'ended'; readonly exit_code: number };

/** A line that is no event, such as one that was cut off when its process was killed, is `undefined`. */
export function parseEvent(line: string): RunnerEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
