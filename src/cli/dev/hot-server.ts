import type { Caller } from '../../pipeline/tool/policy.ts';
import { ResourcesManager } from '../../resources/resources-manager.ts';
import { createServer } from '../../server/create-server.ts';
import type { ToolwrightServer } from '../../server/create-server.ts';
import { keepServed, servedOf } from '../../server/served-of.ts';
import type { ServerEvent } from '../../stores/event-bus.ts';
import { Quota } from '../../base/quota.ts';
import type { Answer } from '../../wire/messages/answer.ts';
import { answerWith } from '../../wire/methods/dispatch.ts';
import type { Exchange } from '../../wire/served/exchange.ts';
import { Introduction } from '../../wire/served/introduction.ts';
import type { RpcRequest } from '../../wire/messages/json-rpc.ts';
import { LISTEN } from '../../wire/messages/listen-request.ts';
import { listen } from '../../wire/methods/subscriptions.ts';
import type { Announced, Runtime, Served, Watched } from '../../wire/served/served.ts';
import { KINDS } from './messages.ts';
import type { ServerSketch } from './messages.ts';

/** Handles requests in another process. */
export interface Answerer {
  answer(request: RpcRequest, exchange: Exchange): Promise<Answer>;
  hasTask(taskId: string, owner: string): Promise<boolean>;
}

/**
 * A server whose tools, prompts and resources are in another process, which can be replaced while clients are connected. Sessions and
 * streams are kept here.
 */
export class HotServer {
  /** The server for the transports. */
  readonly server: ToolwrightServer;
  readonly #runtime: Runtime;
  readonly #listeners: Quota;
  #introduction: Introduction;
  #announced: Announced;
  #behind: Answerer;

  constructor(sketch: ServerSketch, behind: Answerer) {
    const { info, limits } = sketch;
    this.#behind = behind;
    this.#introduction = toIntroduction(sketch);
    this.#announced = this.#announce(sketch);
    this.#listeners = new Quota(limits.maxSubscriptions, limits.maxSubscriptionsPerCaller);
    this.server = createServer({ ...info, limits });
    const own = servedOf(this.server);
    this.#runtime = own;
    keepServed(this.server, this.#serve(own));
  }

  /** Replaces the process behind this server, and notifies clients that all lists have changed. */
  exchange(sketch: ServerSketch, behind: Answerer): void {
    this.#behind = behind;
    this.describe(sketch);
    for (const kind of KINDS) this.tell({ kind });
  }

  /** Publishes an event of the other process. */
  tell(event: ServerEvent): void {
    void this.#runtime.bus.publish(event);
  }

  /** Updates the description that transports use. */
  describe(sketch: ServerSketch): void {
    this.#introduction = toIntroduction(sketch);
    this.#announced = this.#announce(sketch);
  }

  /** The view for transports, with the current description. */
  #serve({ limits, logger, clock, memory, bus, keys, closing, recent, errorWatch }: Served): Served {
    const introduction = (): Introduction => this.#introduction;
    const announced = (): Announced => this.#announced;
    return {
      limits,
      logger,
      clock,
      memory,
      bus,
      keys,
      closing,
      recent,
      errorWatch,
      catalogHash: undefined,
      sharedState: undefined,
      memoryState: undefined,
      startTaskWorker: undefined,
      get introduction() {
        return introduction();
      },
      get announced() {
        return announced();
      },
      answer: (request, exchange) => this.#answer(request, exchange),
    };
  }

  #answer(request: RpcRequest, exchange: Exchange): Promise<Answer> {
    // Subscriptions stay in this process, which receives the events of the other one.
    if (request.method !== LISTEN) return this.#behind.answer(request, exchange);
    const services = {
      ...this.#runtime,
      ...this.#announced,
      introduction: this.#introduction,
      listeners: this.#listeners,
    };
    return answerWith(listen, { services, request, exchange });
  }

  #announce({ kinds, uris, uriTemplates }: ServerSketch): Announced {
    const resources = resourcesOf(uris, uriTemplates);
    const has = (uri: string, caller: Caller): boolean => resources.has(uri, caller);
    return {
      tools: kinds.includes('tools') ? EVERY_CHANGE : undefined,
      prompts: kinds.includes('prompts') ? EVERY_CHANGE : undefined,
      // A subscription to an unknown resource is rejected.
      resources: kinds.includes('resources') ? { ...EVERY_CHANGE, has } : undefined,
      // For subscriptions to tasks only their existence is checked.
      hasTask: (taskId, owner) => this.#behind.hasTask(taskId, owner),
    };
  }
}

/** Reports every change to every caller: the lists are in another process, so changes cannot be compared by caller here. */
const EVERY_CHANGE: Watched = { watch: () => () => true };

function toIntroduction({ info, instructions }: ServerSketch): Introduction {
  return new Introduction(info, instructions);
}

function resourcesOf(uris: readonly string[], uriTemplates: readonly string[]): ResourcesManager {
  return new ResourcesManager({
    resources: [
      ...uris.map((uri) => ({ uri, name: uri, text: '' })),
      ...uriTemplates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate, contentProvider: () => null })),
    ],
  });
}
