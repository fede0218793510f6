import type { ServerEvent } from '../event-bus.ts';

/** Further topics displace the oldest. */
const MAX_TOPICS = 1000;

/** Events that did not reach Redis: the latest of each topic. */
export class UnpublishedEvents {
  readonly #events = new Map<string, ServerEvent>();

  get isEmpty(): boolean {
    return this.#events.size === 0;
  }

  add(events: Iterable<ServerEvent>): void {
    for (const event of events) {
      const topic = topicOf(event);
      this.#events.delete(topic);
      this.#events.set(topic, event);
    }
    for (const oldest of this.#events.keys()) {
      if (this.#events.size <= MAX_TOPICS) break;
      this.#events.delete(oldest);
    }
  }

  /** Removes and returns all events. */
  take(): readonly ServerEvent[] {
    const events = [...this.#events.values()];
    this.#events.clear();
    return events;
  }

  /** Returns events that could not be published either; newer events of their topics stay. */
  giveBack(events: readonly ServerEvent[]): void {
    const newer = this.take();
    this.add([...events, ...newer]);
  }
}

function topicOf(event: ServerEvent): string {
  const { kind, server } = event;
  if (kind === 'resource') return JSON.stringify([kind, server, event.uri]);
  if (kind === 'task') return JSON.stringify([kind, server, event.owner, event.task['taskId']]);
  // Changes of a session do not replace each other.
  if (kind === 'session') return JSON.stringify([kind, server, event.session, event.change]);
  return JSON.stringify([kind, server, event.cause]);
}
