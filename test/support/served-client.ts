import type {
  McpCallToolResult,
  McpGetPromptResult,
  McpLogLevel,
  McpPrompt,
  McpReadResourceResult,
  McpResource,
  McpResourceTemplate,
  McpTool,
  ProgressUpdate,
} from '../../src/index.ts';

/** Common interface of the official clients. */
export interface OfficialClient {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  callTool(params: object, options?: object): Promise<McpCallToolResult>;
  listTools(params?: object): Promise<Page & { tools: McpTool[] }>;
  listPrompts(params?: object): Promise<Page & { prompts: McpPrompt[] }>;
  listResources(params?: object): Promise<Page & { resources: McpResource[] }>;
  listResourceTemplates(params?: object): Promise<Page & { resourceTemplates: McpResourceTemplate[] }>;
  getPrompt(params: object): Promise<McpGetPromptResult>;
  readResource(params: object): Promise<McpReadResourceResult>;
  complete(params: object): Promise<{ completion: object }>;
  setLoggingLevel(level: McpLogLevel): Promise<unknown>;
  subscribeResource(params: object): Promise<unknown>;
  unsubscribeResource(params: object): Promise<unknown>;
  /** Version 2 only. */
  listen?(filter: object): Promise<Subscription>;
  getServerVersion(): object | undefined;
  getServerCapabilities(): Record<string, unknown> | undefined;
  getInstructions(): string | undefined;
  fallbackNotificationHandler?: (notification: Notification) => Promise<void>;
  onerror?: (error: Error) => void;
}

/** An open subscription. */
export interface Subscription {
  readonly honoredFilter: object;
  readonly closed: Promise<string>;
  close(): Promise<void>;
}

interface Page {
  readonly nextCursor?: string;
}

export interface Notification {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Responses of a client to requests of the server. May be changed at any time. */
export interface Answers {
  elicit?: (params: Readonly<Record<string, unknown>>) => object;
  sample?: (params: Readonly<Record<string, unknown>>) => object;
  roots?: () => object;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (update: ProgressUpdate) => void;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Common interface of the official clients; received notifications are recorded. */
export class ServedClient implements AsyncDisposable {
  readonly official: OfficialClient;
  readonly answers: Answers;
  readonly heard: Notification[] = [];
  readonly #isAggregating: boolean;
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #listeners = new Set<(notification: Notification) => void>();

  constructor(official: OfficialClient, answers: Answers, { isAggregating }: { isAggregating: boolean }) {
    this.official = official;
    this.answers = answers;
    this.#isAggregating = isAggregating;
    official.fallbackNotificationHandler = async (notification) => {
      this.heard.push(notification);
      for (const listener of this.#listeners) listener(notification);
    };
  }

  connect(transport: unknown): Promise<void> {
    return this.official.connect(transport);
  }

  /** Functions that run after the client is closed. */
  onClose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    await this.official.close();
    for (const close of this.#closers) await close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The next notification of this method, from now on. */
  next(method: string): Promise<Notification> {
    return new Promise((resolve) => {
      const listener = (notification: Notification): void => {
        if (notification.method !== method) return;
        this.#listeners.delete(listener);
        resolve(notification);
      };
      this.#listeners.add(listener);
    });
  }

  callTool(name: string, args: object = {}, options: CallOptions = {}): Promise<McpCallToolResult> {
    const { meta, ...rest } = options;
    const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
    return this.official.callTool(params, rest);
  }

  /** The text of a tool result. */
  async callText(name: string, args: object = {}, options: CallOptions = {}): Promise<string> {
    const { content } = await this.callTool(name, args, options);
    return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
  }

  /** Opens a subscription; clients of earlier revisions are notified without one. */
  async listen(filter: object): Promise<Subscription> {
    if (this.official.listen === undefined) throw new Error('version 1 of the client has no such streams');
    return this.official.listen(filter);
  }

  listTools(): Promise<McpTool[]> {
    return this.#collect((params) => this.official.listTools(params), 'tools');
  }

  listPrompts(): Promise<McpPrompt[]> {
    return this.#collect((params) => this.official.listPrompts(params), 'prompts');
  }

  listResources(): Promise<McpResource[]> {
    return this.#collect((params) => this.official.listResources(params), 'resources');
  }

  listResourceTemplates(): Promise<McpResourceTemplate[]> {
    return this.#collect((params) => this.official.listResourceTemplates(params), 'resourceTemplates');
  }

  /** All pages. Version 2 fetches them itself; version 1 does not. */
  async #collect<TName extends string, TItem>(
    list: (params?: object) => Promise<Page & Record<TName, TItem[]>>,
    name: TName,
  ): Promise<TItem[]> {
    if (this.#isAggregating) return (await list())[name];
    const items: TItem[] = [];
    let cursor: string | undefined;
    do {
      const page: Page & Record<TName, TItem[]> = await list(cursor === undefined ? {} : { cursor });
      items.push(...page[name]);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return items;
  }
}
