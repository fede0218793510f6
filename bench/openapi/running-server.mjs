import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const LIST_MS = 120_000;
const CALL_MS = 15_000;

/** A contender in a process of its own, driven by the official client. */
export class RunningServer {
  #client;

  /** @param {Client} client */
  constructor(client) {
    this.#client = client;
  }

  /** @param {import('./contenders.mjs').Command} command */
  static async start({ command, args, env = {} }) {
    const client = new Client({ name: 'bench', version: '1.0.0' });
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...process.env, ...env },
      stderr: 'ignore',
    });
    await client.connect(transport, { timeout: LIST_MS });
    return new RunningServer(client);
  }

  /** All tools, as the official client reads them; it refuses a list with anything in it that is no tool. */
  async listTools() {
    const { tools } = await this.#client.listTools(undefined, { timeout: LIST_MS });
    return tools;
  }

  /**
   * What a tool says; an error is a result that says so.
   *
   * @param {string} name
   * @param {Readonly<Record<string, unknown>>} args
   */
  async call(name, args) {
    try {
      return await this.#client.callTool({ name, arguments: args }, { timeout: CALL_MS });
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: String(error) }] };
    }
  }

  async close() {
    await this.#client.close().catch(() => {});
  }
}
