import type { CollectionError, DiscoveredTest, RunEvent, TestResult, TestWarning } from '../test-run.ts';
import { parseEvent } from './runner-events.ts';
import type { PhaseEvent, RunnerEvent } from './runner-events.ts';
import { toSkippedModule, toTestResult } from './test-result.ts';

/** Everything that the runner has reported so far. */
export class EventRecord {
  readonly tests: TestResult[] = [];
  readonly items: DiscoveredTest[] = [];
  readonly collectionErrors: CollectionError[] = [];
  readonly warnings: TestWarning[] = [];
  interpreter: string | null = null;
  interpreterVersion: string | null = null;
  runnerVersion: string | null = null;
  problem: string | null = null;
  hasEnded = false;
  #finished = 0;
  #total: number | null = null;
  readonly #running = new Map<string, PhaseEvent[]>();
  readonly #runningFiles = new Set<string>();
  readonly #onEvent: (event: RunEvent) => void;

  constructor(onEvent: (event: RunEvent) => void = () => undefined) {
    this.#onEvent = onEvent;
  }

  /** Tests that have started and not finished; if there are none, files that have. */
  get running(): readonly string[] {
    return this.#running.size > 0 ? [...this.#running.keys()] : [...this.#runningFiles];
  }

  readonly addLine = (line: string): void => {
    const event = parseEvent(line);
    if (event !== undefined) this.#add(event);
  };

  #add(event: RunnerEvent): void {
    switch (event.event) {
      case 'session':
        this.interpreter = event.interpreter;
        this.interpreterVersion = event.interpreter_version;
        this.runnerVersion = event.runner_version;
        return;
      case 'collection_error': {
        const { event: _, ...error } = event;
        this.collectionErrors.push(error);
        this.#onEvent({ type: 'collection_error', error });
        return;
      }
      case 'collection_skip':
        this.tests.push(toSkippedModule(event));
        return;
      case 'item': {
        const { event: _, ...item } = event;
        this.items.push(item);
        return;
      }
      case 'collected':
        this.#total = event.total;
        this.#onEvent({ type: 'collected', total: event.total });
        return;
      case 'started':
        this.#running.set(event.node_id, []);
        this.#onEvent({ type: 'test_started', node_id: event.node_id });
        return;
      case 'phase':
        this.#running.get(event.node_id)?.push(event);
        return;
      case 'finished':
        this.#finish(event.node_id);
        return;
      case 'cancelled':
        this.#running.delete(event.node_id);
        return;
      case 'warning': {
        const { event: _, ...warning } = event;
        this.warnings.push(warning);
        return;
      }
      case 'file_started':
        this.#runningFiles.add(event.node_id);
        return;
      case 'file_finished':
        this.#runningFiles.delete(event.node_id);
        return;
      case 'problem':
        this.problem = event.message;
        return;
      case 'ended':
        this.hasEnded = true;
    }
  }

  #finish(node_id: string): void {
    const test = toTestResult(node_id, this.#running.get(node_id) ?? []);
    this.#running.delete(node_id);
    this.tests.push(test);
    // Skipped modules are not in the total.
    this.#finished += 1;
    this.#onEvent({ type: 'test_finished', test, finished: this.#finished, total: this.#total });
  }
}
