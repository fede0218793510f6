import { ResourcesManager } from '../../resources/resources-manager.ts';
import { createServer } from '../../server/create-server.ts';
import type { ToolwrightServer } from '../../server/create-server.ts';
import { servedOf } from '../../server/served-of.ts';
import type { ServerEvent } from '../../stores/event-bus.ts';
import type { Answer } from '../../wire/dispatch.ts';
import { META } from '../../wire/meta-keys.ts';
import type { Incoming } from '../../wire/method.ts';
import { forgetDescription } from '../../wire/methods/discover.ts';
import type { Served } from '../../wire/served.ts';
import { KINDS } from './messages.ts';
import type { ServerSketch } from './messages.ts';

/** Has requests answered. */
export interface Answerer {
  answer(incoming: Incoming): Promise<Answer>;
  hasTask(taskId: string, owner: string): Promise<boolean>;
}

/**
 * A server whose tools, prompts and resources are in another process, which can be exchanged while clients are connected. Sessions and
 * streams are here, where they stay.
 */
export class HotServer {
  /** What transports serve. */
  readonly server: ToolwrightServer;
  readonly #served: Changing<Served>;
  #behind: Answerer;

  constructor(sketch: ServerSketch, behind: Answerer) {
    const { info, limits } = sketch;
    this.#behind = behind;
    this.server = createServer({ ...info, limits });
    this.#served = servedOf(this.server);
    this.#served.elsewhere = (incoming) => this.#behind.answer(incoming);
    // Those that listen for tasks ask whether there are such tasks, and nothing else.
    const tasks = {
      get: async (taskId: string, owner: string) =>
        (await this.#behind.hasTask(taskId, owner)) ? {} : undefined,
    };
    this.#served.tasks = tasks as unknown as Served['tasks'];
    this.describe(sketch);
  }

  /** From now on requests are answered by another one. Clients are told to look again. */
  exchange(sketch: ServerSketch, behind: Answerer): void {
    this.#behind = behind;
    this.describe(sketch);
    for (const kind of KINDS) this.tell({ kind });
  }

  /** Passes on what happened there. */
  tell(event: ServerEvent): void {
    void this.#served.bus.publish(event);
  }

  /** What transports have to know of it; all else is asked there. */
  describe({ info, instructions, kinds, headerArguments, uris, uriTemplates }: ServerSketch): void {
    const { name, version } = info;
    const served = this.#served;
    served.info = info;
    served.instructions = instructions;
    served.signature = { name, version };
    served.stamp = `"resultType":"complete","_meta":${JSON.stringify({ [META.serverInfo]: { name, version } })}`;
    const tools = { headerArguments: (tool: string) => headerArguments[tool] ?? [] };
    served.tools = kinds.includes('tools') ? (tools as unknown as Served['tools']) : undefined;
    served.prompts = kinds.includes('prompts') ? ({} as Served['prompts']) : undefined;
    // Whoever subscribes is told whether there is such a resource.
    served.resources = kinds.includes('resources') ? resourcesOf(uris, uriTemplates) : undefined;
    forgetDescription(served);
  }
}

function resourcesOf(uris: readonly string[], uriTemplates: readonly string[]): ResourcesManager {
  return new ResourcesManager({
    resources: [
      ...uris.map((uri) => ({ uri, name: uri, text: '' })),
      ...uriTemplates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate, contentProvider: () => null })),
    ],
  });
}

type Changing<TServed> = { -readonly [TKey in keyof TServed]: TServed[TKey] };
