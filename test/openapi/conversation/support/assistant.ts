import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { serveHttp } from '../../../../src/http.ts';
import type { McpCallToolResult, ToolwrightServer } from '../../../../src/index.ts';
import { connectOverHttp } from '../../../support/served-clients.ts';
import type { ClientName, ServedClient } from '../../../support/served-clients.ts';

/** A tool as `search_tools` lists it. */
export interface FoundTool {
  readonly name: string;
  readonly description: string;
  readonly arguments?: string;
  readonly destructive?: boolean;
}

/** A tool as `describe_tool` describes it. */
export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations?: object;
}

/** The schema of a tool, and the arguments that it names: a client that enforces schemas lets no others through. */
interface Enforced {
  readonly validate: ValidateFunction;
  readonly names: ReadonlySet<string>;
}

/**
 * A model and its client in front of a server with `exposure: 'search'`. It knows of a tool only what the server has told it, and its
 * client enforces schemas: a call is sent only if its arguments are valid by the schema that was advertised or described.
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

  /** Serves over HTTP, connects the official client, and reads the list of tools. */
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

  /** What `search_tools` finds, the best first. Further queries say the same in other words. */
  async search(query: string, ...queries: readonly string[]): Promise<FoundTool[]> {
    const args = queries.length === 0 ? { query } : { query, queries };
    const { tools } = JSON.parse(textOf(await this.#send('search_tools', args))) as { tools: FoundTool[] };
    return tools;
  }

  /** What `describe_tool` says of a tool. From now on it can be called. */
  async describe(name: string): Promise<DescribedTool> {
    const reply = await this.#send('describe_tool', { names: [name] });
    const { tools } = JSON.parse(textOf(reply)) as { tools: DescribedTool[] };
    const [tool] = tools;
    if (tool?.name !== name) throw new Error(`describe_tool does not describe ${name}: ${textOf(reply)}`);
    this.#learn(name, tool.inputSchema);
    return tool;
  }

  /** Searches, expects this tool to be found first, and reads how it is called. */
  async find(query: string, expected: string): Promise<DescribedTool> {
    const names = (await this.search(query)).map(({ name }) => name);
    if (names[0] !== expected) throw new Error(`"${query}" finds ${names.join(', ')}, not ${expected}`);
    return this.describe(expected);
  }

  /** Searches and takes this tool, if it is one of the five that are found: a model chooses by their descriptions. */
  async choose(query: string, expected: string): Promise<DescribedTool> {
    const names = (await this.search(query)).map(({ name }) => name);
    if (!names.includes(expected)) throw new Error(`"${query}" finds ${names.join(', ')}, not ${expected}`);
    return this.describe(expected);
  }

  /** The part of a schema that `describe_tool` left out, by the path that it has there. */
  async describePart(name: string, path: string): Promise<object> {
    const reply = await this.#send('describe_tool', { names: [name], path });
    return (JSON.parse(textOf(reply)) as { schema: object }).schema;
  }

  /** Calls a tool that has been described. */
  async call(name: string, args: object = {}): Promise<McpCallToolResult> {
    this.#assertValid(name, args);
    return this.#send('call_tool', { name, arguments: args });
  }

  /** Calls a tool whose result is one text, and returns it. */
  async read(name: string, args: object = {}): Promise<string> {
    const { content, isError } = await this.call(name, args);
    const [block] = content;
    if (isError === true || block?.type !== 'text') throw new Error(JSON.stringify(content).slice(0, 2000));
    return block.text;
  }

  /** Calls a tool and reads the JSON of its result. */
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

/** Ajv as the official clients set it up, but for schemas that are not valid, which fail here. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  return ajv;
}

/** The texts of a result. */
export function textOf({ content }: McpCallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}
