import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const LIST_MS = 120_000;
const CALL_MS = 15_000;

/** A contender in its own process, with the official client. */
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

  /** All tools, as parsed by the official client; it rejects a list with an invalid tool. */
  async listTools() {
    const { tools } = await this.#client.listTools(undefined, { timeout: LIST_MS });
    return tools;
  }

  /**
   * The text of a tool result, also of an error.
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
