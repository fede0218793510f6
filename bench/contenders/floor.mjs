import { listTools, toListed } from '../tools.mjs';

/** No framework: what any server must do for a call. For a list: the ready objects, written out on every request. */
export const floor = {
  name: 'floor',
  create: async (size) => {
    const tools = new Map(
      listTools(size).map(({ name, schema, run }) => [
        name,
        { schema, handler: async (input) => run(input) },
      ]),
    );
    const listed = toListed(size);
    return {
      call: async (text) => {
        const { id, params } = JSON.parse(text);
        const tool = tools.get(params.name);
        const parsed = tool.schema.safeParse(params.arguments);
        if (!parsed.success) throw parsed.error;
        const result = { content: [{ type: 'text', text: await tool.handler(parsed.data) }] };
        return JSON.stringify({ jsonrpc: '2.0', id, result });
      },
      list: async (text) => {
        const { id } = JSON.parse(text);
        return JSON.stringify({ jsonrpc: '2.0', id, result: { tools: listed } });
      },
      close: async () => {},
    };
  },
};
