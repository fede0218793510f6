import { listTools } from './tools.mjs';

// A multiple of every size and of the number of argument shapes, so that each tool gets each shape equally often.
const RING = 6000;

/**
 * A request as it comes over the wire, and what only the right answer contains.
 *
 * @typedef {object} Request
 * @property {number} id
 * @property {string} text
 * @property {string} [expected] The text of a call's result.
 */

/**
 * Calls spread over all tools: neighbours in the list are never called in sequence.
 *
 * @param {number} size
 * @param {import('./tools.mjs').Catalogue} [catalogue]
 * @returns {readonly Request[]}
 */
export function createCalls(size, catalogue) {
  const tools = listTools(size, catalogue);
  return Array.from({ length: RING }, (_, index) => {
    const id = 1000 + index;
    const { name, schema, samples, run } = tools[(index * 7) % size];
    const input = samples[index % samples.length](id);
    return {
      id,
      text: toText(id, 'tools/call', { name, arguments: input }),
      expected: run(schema.parse(input)),
    };
  });
}

/** @returns {readonly Request[]} */
export function createLists() {
  return Array.from({ length: 10 }, (_, index) => ({
    id: 1000 + index,
    text: toText(1000 + index, 'tools/list', {}),
  }));
}

/**
 * Throws if the response is wrong: a fast wrong response must not win.
 *
 * @param {string} answer
 * @param {Request} request
 * @param {{ name: string, size: number, catalogue?: import('./tools.mjs').Catalogue }} asked
 */
export function assertAnswer(answer, request, { name, size, catalogue }) {
  const { id, result } = JSON.parse(answer);
  const isRight =
    request.expected === undefined
      ? isWholeList(result?.tools, listTools(size, catalogue))
      : result?.isError !== true && result?.content?.[0]?.text === request.expected;
  if (id !== request.id || !isRight)
    throw new Error(`${name} with ${size} tools returned a wrong response: ${answer.slice(0, 300)}`);
}

/** Every tool, with every field of its schema. */
function isWholeList(listed, tools) {
  const fieldsOf = new Map(tools.map(({ name, schema }) => [name, Object.keys(schema.shape).length]));
  return (
    listed?.length === tools.length &&
    listed.every(
      ({ name, inputSchema }) => Object.keys(inputSchema?.properties ?? {}).length === fieldsOf.get(name),
    )
  );
}

function toText(id, method, params) {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
