import { coalesce } from '../base/coalesce.ts';
import { toLoggedError } from '../errors/log-thrown.ts';
import type { ServerEvent } from '../stores/event-bus.ts';
import type { Services } from '../wire/services/services.ts';
import { wholeTaskOf } from '../wire/services/task-state.ts';

/** Publishes changes of tools, prompts, resources and tasks to subscribed clients, including parts that are added later. */
export class News {
  /** Publishes that something was registered or removed, once for several changes. Receivers compare lists to find the affected callers. */
  readonly publishList: Readonly<Record<'tools' | 'prompts' | 'resources', () => void>> = {
    tools: coalesce(() => this.#publish({ kind: 'tools', cause: 'catalog' })),
    prompts: coalesce(() => this.#publish({ kind: 'prompts', cause: 'catalog' })),
    resources: coalesce(() => this.#publish({ kind: 'resources', cause: 'catalog' })),
  };
  readonly #services: Pick<Services, 'bus' | 'logger'>;
  readonly #release: (() => void)[] = [];

  constructor(services: Services) {
    this.#services = services;
    this.followTools(services.tools);
    this.followPrompts(services.prompts);
    this.followResources(services.resources);
    this.#release.push(
      services.tasks.onChange((record) =>
        this.#publish({ kind: 'task', owner: record.owner, task: wholeTaskOf(record) }),
      ),
    );
  }

  followTools(tools: Services['tools']): void {
    if (tools !== undefined) this.#release.push(tools.onChange(this.publishList.tools));
  }

  followPrompts(prompts: Services['prompts']): void {
    if (prompts !== undefined) this.#release.push(prompts.onChange(this.publishList.prompts));
  }

  followResources(resources: Services['resources']): void {
    if (resources === undefined) return;
    this.#release.push(
      resources.onChange(this.publishList.resources),
      resources.onUpdate((uri) => this.#publish({ kind: 'resource', uri })),
    );
  }

  /** Publishes a change that the server cannot detect: all clients are notified. */
  announce(kind: 'tools' | 'prompts' | 'resources'): void {
    this.#publish({ kind });
  }

  /** Stops publishing. */
  stop(): void {
    for (const release of this.#release.splice(0)) release();
  }

  #publish(event: ServerEvent): void {
    const { bus, logger } = this.#services;
    const published = async (): Promise<void> => bus.publish(event);
    published().catch((error: unknown) => {
      logger.error('the event bus failed', { error: toLoggedError(error) });
    });
  }
}
