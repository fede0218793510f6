import type { RunSummary, TestOutcome, TestResult } from '../test-run.ts';
import type { PhaseEvent } from './runner-events.ts';

/** Joins the phases of a test. The phase that decides the outcome gives the message and the traceback. */
export function toTestResult(node_id: string, phases: readonly PhaseEvent[]): TestResult {
  const deciding = findDecidingPhase(phases);
  return {
    node_id,
    outcome: deciding === undefined ? 'error' : toOutcome(deciding),
    duration: phases.reduce((sum, { duration }) => sum + duration, 0),
    phases: phases.map(({ phase, outcome, duration, message }) => ({ phase, outcome, duration, message })),
    message: deciding === undefined ? 'The test ended without a report.' : deciding.message,
    error_type: deciding?.error_type ?? null,
    traceback: deciding?.traceback ?? [],
    causes: deciding?.causes ?? [],
    assertion: deciding?.assertion ?? null,
    captured: phases.flatMap(({ captured }) => captured),
  };
}

/** A module that skipped itself when it was collected. */
export function toSkippedModule({ node_id, message }: Pick<PhaseEvent, 'node_id' | 'message'>): TestResult {
  const outcome = { outcome: 'skipped', xfail: false, message, captured: [], duration: 0 };
  return toTestResult(node_id, [{ event: 'phase', node_id, phase: 'collect', ...outcome }]);
}

/** A failed call, then a failed setup or teardown, then the last call (those before it are subtests and repetitions), then the setup. */
function findDecidingPhase(phases: readonly PhaseEvent[]): PhaseEvent | undefined {
  const failed = phases.filter(({ outcome }) => outcome === 'failed');
  return (
    failed.find(({ phase }) => phase === 'call') ??
    failed[0] ??
    phases.findLast(({ phase }) => phase === 'call') ??
    phases[0]
  );
}

function toOutcome({ phase, outcome, xfail }: PhaseEvent): TestOutcome {
  if (outcome === 'failed') return phase === 'call' ? 'failed' : 'error';
  if (outcome === 'skipped') return xfail ? 'xfailed' : 'skipped';
  return xfail ? 'xpassed' : 'passed';
}

/** Counts the outcomes. */
export function toSummary(tests: readonly TestResult[], duration: number): RunSummary {
  const count = (wanted: TestOutcome) => tests.filter(({ outcome }) => outcome === wanted).length;
  return {
    total: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    xfailed: count('xfailed'),
    xpassed: count('xpassed'),
    errors: count('error'),
    duration,
  };
}
