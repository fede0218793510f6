import type { RunRecord } from '../domain/runs/run-record.ts';
import { toRunView } from '../views/run-view.ts';
import type { RunView } from '../views/run-view.ts';

/** A run that did not come to its end, as an error with all that is known about the run. */
interface FailedRun {
  [key: string]: unknown;
  isError: true;
  content: { type: 'text'; text: string }[];
}

/** The result of a tool that runs tests. Failed tests are a result; a run that did not come to its end is an error. */
export function toRunResult(run: RunRecord): RunView | FailedRun {
  const view = toRunView(run);
  return run.status === 'completed' || run.status === 'running' ? view : toFailure(view.problem ?? '', view);
}

/** An error with a sentence and with data. */
export function toFailure(message: string, data: object): FailedRun {
  return {
    isError: true,
    content: [
      { type: 'text', text: message },
      { type: 'text', text: JSON.stringify(data) },
    ],
  };
}
