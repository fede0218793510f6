import { listTools, toListed } from '../tools.mjs';

/** The baseline, without a framework: the minimum work for a call. For a list: prepared objects, serialized on every request. */
export const floor = createFloor('floor', (run) => async (input) => run(input));

/** The same with synchronous handlers that are not awaited: the baseline for our synchronous handlers. */
export const floorSync = createFloor('floor, sync handler', (run) => run);

function createFloor(floorName, toHandler) {
  return { name: floorName, create: async (size, catalogue) => serveFloor({ size, catalogue }, toHandler) };
}

function serveFloor({ size, catalogue }, toHandler) {
  const tools = new Map(
    listTools(size, catalogue).map(({ name, schema, run }) => [name, { schema, handler: toHandler(run) }]),
  );
  const listed = toListed(size, catalogue);
  return {
    call: async (text) => {
      const { id, params } = JSON.parse(text);
      const tool = tools.get(params.name);
      const parsed = tool.schema.safeParse(params.arguments);
      if (!parsed.success) throw parsed.error;
      const returned = tool.handler(parsed.data);
      const value = typeof returned === 'string' ? returned : await returned;
      const result = { content: [{ type: 'text', text: value }] };
      return JSON.stringify({ jsonrpc: '2.0', id, result });
    },
    list: async (text) => {
      const { id } = JSON.parse(text);
      return JSON.stringify({ jsonrpc: '2.0', id, result: { tools: listed } });
    },
    close: async () => {},
  };
}
