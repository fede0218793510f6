import { ToolRegistry, silentLogger } from './library.mjs';
import { listTools } from './tools.mjs';

/**
 * A registry with the tools of the benchmark.
 *
 * @param {number} size
 * @param {{ isAsync: boolean, catalogue?: import('./tools.mjs').Catalogue }} options
 */
export function createRegistry(size, { isAsync, catalogue }) {
  return new ToolRegistry({
    name: 'bench',
    logger: silentLogger,
    // Counted on every call, never reached.
    rateLimit: { limit: 1e12, perMs: 60_000 },
  }).registerAll(
    listTools(size, catalogue).map(({ name, description, schema, run }) => ({
      name,
      description,
      inputSchema: schema,
      handler: isAsync ? async ({ input }) => run(input) : ({ input }) => run(input),
    })),
  );
}

/** The registry with only JSON-RPC around it. */
export function serveRegistry(registry) {
  return {
    call: async (text) => {
      const { id, params } = JSON.parse(text);
      const reply = await registry.handleCall({ name: params.name, arguments: params.arguments });
      if (reply.kind === 'protocol-error') throw new Error(reply.message);
      return JSON.stringify({ jsonrpc: '2.0', id, result: reply.result });
    },
    list: async (text) => {
      const { id } = JSON.parse(text);
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${registry.listToolsJson()}}`;
    },
    /** As a transport can send it: the cached list is not copied into a new string. */
    listPieces: async (text) => {
      const { id } = JSON.parse(text);
      return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, registry.listToolsJson(), '}'];
    },
    close: async () => {},
  };
}
