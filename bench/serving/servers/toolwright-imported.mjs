import { addressOf, silentLogger, ToolRegistry } from '../../library.mjs';
import { BASE_URL, measureCalls } from './call-upstream.mjs';

const { fromOpenAPI } = await import(addressOf('openapi.ts'));

const { tools } = await fromOpenAPI(
  {
    openapi: '3.1.0',
    info: { title: 'Items', version: '1.0.0' },
    paths: {
      '/items/{id}': {
        get: {
          operationId: 'getItem',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: {
              description: 'The item',
              content: { 'application/json': { schema: { type: 'object' } } },
            },
          },
        },
      },
    },
  },
  { baseUrl: BASE_URL, outbound: { allowPrivate: ['127.0.0.1'] } },
);
const registry = new ToolRegistry({
  name: 'bench',
  logger: silentLogger,
  // Counted on every call, never reached.
  rateLimit: { limit: 1e12, perMs: 60_000 },
}).registerAll(tools);

measureCalls('ours', async (id) => {
  const { result } = await registry.handleCall({ name: 'getItem', arguments: { id } });
  return result;
});
