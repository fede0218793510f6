import type { CollectionError, DiscoveredTest, RunEvent, TestResult, TestWarning } from '../test-run.ts';
import { parseEvent } from './pytest-events.ts';
import type { PhaseEvent, PytestEvent } from './pytest-events.ts';
import { toSkippedModule, toTestResult } from './test-result.ts';

/** Everything that pytest has reported so far. */
export class EventRecord {
  readonly tests: TestResult[] = [];
  readonly items: DiscoveredTest[] = [];
  readonly collectionErrors: CollectionError[] = [];
  readonly warnings: TestWarning[] = [];
  python: string | null = null;
  pythonVersion: string | null = null;
  pytestVersion: string | null = null;
  hasEnded = false;
  #finished = 0;
  #total: number | null = null;
  readonly #running = new Map<string, PhaseEvent[]>();
  readonly #onEvent: (event: RunEvent) => void;

  constructor(onEvent: (event: RunEvent) => void = () => undefined) {
    this.#onEvent = onEvent;
  }

  /** Tests that have started and not finished. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  readonly addLine = (line: string): void => {
    const event = parseEvent(line);
    if (event !== undefined) this.#add(event);
  };

  #add(event: PytestEvent): void {
    switch (event.event) {
      case 'session':
        this.python = event.python;
        this.pythonVersion = event.python_version;
        this.pytestVersion = event.pytest_version;
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
      case 'warning': {
        const { event: _, ...warning } = event;
        this.warnings.push(warning);
        return;
      }
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
