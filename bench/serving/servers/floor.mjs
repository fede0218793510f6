import { listTools, toListed } from '../../tools.mjs';
import { SERVER_INFO } from '../constants.mjs';
import { specification } from './specification.mjs';

/** Message handling of all baseline servers. */

const { size, catalogue, era } = specification;
const tools = new Map(
  listTools(size, catalogue).map(({ name, schema, run }) => [
    name,
    { schema, handler: async (input) => run(input) },
  ]),
);
/** First members of a result of 2026-07-28, so that all contenders send the same. */
const stamp =
  era === 'modern'
    ? { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO } }
    : {};
let listed;

/**
 * @param {string} text
 * @returns {Promise<string> | string | undefined}
 */
export function answer(text) {
  const message = JSON.parse(text);
  if (message.method === 'tools/call') return call(message);
  if (message.id === undefined) return undefined;
  if (message.method === 'tools/list') return write(message.id, list());
  return write(message.id, JSON.stringify({ protocolVersion: '2025-11-25', capabilities: { tools: {} } }));
}

async function call({ id, params }) {
  const tool = tools.get(params.name);
  const parsed = tool.schema.safeParse(params.arguments);
  if (!parsed.success) throw parsed.error;
  const text = await tool.handler(parsed.data);
  return JSON.stringify({ jsonrpc: '2.0', id, result: { ...stamp, content: [{ type: 'text', text }] } });
}

/** Serialized once. */
export function list() {
  listed ??= JSON.stringify({ ...stamp, tools: toListed(size, catalogue) });
  return listed;
}

function write(id, result) {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}
