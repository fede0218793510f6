import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { serveHttp } from '../../../../src/http.ts';
import type { McpCallToolResult, ToolwrightServer } from '../../../../src/index.ts';
import { connectOverHttp } from '../../../support/served-clients.ts';
import type { ClientName, ServedClient } from '../../../support/served-clients.ts';

/** A tool in the result of `search_tools`. */
export interface FoundTool {
  readonly name: string;
  readonly description: string;
  readonly arguments?: string;
  readonly destructive?: boolean;
}

/** A tool in the result of `describe_tool`. */
export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations?: object;
}

/** The schema of a tool, and its arguments: a client that enforces schemas sends no others. */
interface Enforced {
  readonly validate: ValidateFunction;
  readonly names: ReadonlySet<string>;
}

/**
 * A model and its client, connected to a server with `exposure: 'search'`. It knows a tool only from the server, and its client enforces
 * schemas: a call is sent only if its arguments are valid by the advertised or described schema.
 */
export class Assistant {
  readonly client: ServedClient;
  readonly #ajv = createAjv();
  readonly #schemas = new Map<string, Enforced>();
  readonly #close: () => Promise<void>;

  private constructor(client: ServedClient, close: () => Promise<void>) {
    this.client = client;
    this.#close = close;
  }

  /** Serves over HTTP, connects the official client, and fetches the list of tools. */
  static async connect(name: ClientName, server: ToolwrightServer): Promise<Assistant> {
    const running = await serveHttp(server, { port: 0 });
    const client = await connectOverHttp(name, running.url);
    const assistant = new Assistant(client, async () => {
      await client.close();
      await running.close();
      await server.close();
    });
    for (const tool of await client.listTools()) assistant.#learn(`list ${tool.name}`, tool.inputSchema);
    return assistant;
  }

  /** The names of the tools in the list. */
  get listed(): string[] {
    return [...this.#schemas.keys()].flatMap((key) => (key.startsWith('list ') ? [key.slice(5)] : []));
  }

  /** Hits of `search_tools`, best first. Further queries are other phrasings. */
  async search(query: string, ...queries: readonly string[]): Promise<FoundTool[]> {
    const args = queries.length === 0 ? { query } : { query, queries };
    const { tools } = JSON.parse(textOf(await this.#send('search_tools', args))) as { tools: FoundTool[] };
    return tools;
  }

  /** The result of `describe_tool` for a tool, which can be called from then on. */
  async describe(name: string): Promise<DescribedTool> {
    const reply = await this.#send('describe_tool', { names: [name] });
    const { tools } = JSON.parse(textOf(reply)) as { tools: DescribedTool[] };
    const [tool] = tools;
    if (tool?.name !== name) throw new Error(`describe_tool does not describe ${name}: ${textOf(reply)}`);
    this.#learn(name, tool.inputSchema);
    return tool;
  }

  /** Searches, expects this tool as the first hit, and describes it. */
  async find(query: string, expected: string): Promise<DescribedTool> {
    const names = (await this.search(query)).map(({ name }) => name);
    if (names[0] !== expected) throw new Error(`"${query}" finds ${names.join(', ')}, not ${expected}`);
    return this.describe(expected);
  }

  /** Searches and describes this tool, if it is among the first five hits: a model chooses by descriptions. */
  async choose(query: string, expected: string): Promise<DescribedTool> {
    const names = (await this.search(query)).map(({ name }) => name);
    if (!names.includes(expected)) throw new Error(`"${query}" finds ${names.join(', ')}, not ${expected}`);
    return this.describe(expected);
  }

  /** The part of a schema that `describe_tool` omitted, by its path. */
  async describePart(name: string, path: string): Promise<object> {
    const reply = await this.#send('describe_tool', { names: [name], path });
    return (JSON.parse(textOf(reply)) as { schema: object }).schema;
  }

  /** Calls a described tool. */
  async call(name: string, args: object = {}): Promise<McpCallToolResult> {
    this.#assertValid(name, args);
    return this.#send('call_tool', { name, arguments: args });
  }

  /** Calls a tool with a single text as its result, and returns the text. */
  async read(name: string, args: object = {}): Promise<string> {
    const { content, isError } = await this.call(name, args);
    const [block] = content;
    if (isError === true || block?.type !== 'text') throw new Error(JSON.stringify(content).slice(0, 2000));
    return block.text;
  }

  /** Calls a tool and parses the JSON of its result. */
  async readJson<TValue>(name: string, args: object = {}): Promise<TValue> {
    return JSON.parse(await this.read(name, args)) as TValue;
  }

  close(): Promise<void> {
    return this.#close();
  }

  #learn(key: string, schema: object): void {
    const { properties = {} } = schema as { readonly properties?: object };
    this.#schemas.set(key, { validate: this.#ajv.compile(schema), names: new Set(Object.keys(properties)) });
  }

  async #send(name: string, args: object): Promise<McpCallToolResult> {
    this.#assertValid(`list ${name}`, args);
    return this.client.callTool(name, args);
  }

  #assertValid(key: string, args: object): void {
    const schema = this.#schemas.get(key);
    if (schema === undefined) throw new Error(`${key} has not been described`);
    const unknown = Object.keys(args).filter((name) => !schema.names.has(name));
    if (unknown.length > 0) throw new Error(`Not sent, ${key}: its schema has no ${unknown.join(', ')}`);
    if (schema.validate(args) !== true)
      throw new Error(`Not sent, ${key}: ${this.#ajv.errorsText(schema.validate.errors, { dataVar: '' })}`);
  }
}

/** Ajv with the settings of the official clients, except that invalid schemas fail. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  return ajv;
}

/** The texts of a result. */
export function textOf({ content }: McpCallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}
