import { listTools } from './tools.mjs';

// A multiple of every size and of the number of argument shapes, so that each tool meets each shape equally often.
const RING = 6000;

const SHAPES = [
  (index) => ({ title: `item ${index}`, count: index, mode: 'fast', range: { from: 1, to: index } }),
  (index) => ({ title: `item ${index}`, count: index, mode: 'careful', labels: ['red', 'green'] }),
  (index) => ({
    title: `item ${index}`,
    count: index,
    mode: 'exact',
    range: { from: 1, to: index },
    labels: ['blue'],
  }),
];

/**
 * A request as it comes over the wire, and what only the right answer contains.
 *
 * @typedef {object} Request
 * @property {number} id
 * @property {string} text
 * @property {string} [expected] The text of a call's result.
 */

/**
 * Calls spread over all tools: neighbours in the list are never neighbours in time.
 *
 * @param {number} size
 * @returns {readonly Request[]}
 */
export function createCalls(size) {
  const tools = listTools(size);
  return Array.from({ length: RING }, (_, index) => {
    const id = 1000 + index;
    const tool = tools[(index * 7) % size];
    const input = SHAPES[index % SHAPES.length](id);
    const params = { name: tool.name, arguments: input };
    return { id, text: toText(id, 'tools/call', params), expected: tool.run(input) };
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
 * Throws when the answer is not the one that was asked for: a fast wrong answer must not win.
 *
 * @param {string} answer
 * @param {Request} request
 * @param {{ name: string, size: number }} asked
 */
export function assertAnswer(answer, request, { name, size }) {
  const { id, result } = JSON.parse(answer);
  const isRight =
    request.expected === undefined
      ? result?.tools?.length === size && result.tools.every(hasFiveFields)
      : result?.isError !== true && result?.content?.[0]?.text === request.expected;
  if (id !== request.id || !isRight)
    throw new Error(`${name} with ${size} tools gave a wrong answer: ${answer.slice(0, 300)}`);
}

function hasFiveFields(tool) {
  return Object.keys(tool.inputSchema?.properties ?? {}).length === 5;
}

function toText(id, method, params) {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
