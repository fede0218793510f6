import { z } from 'zod';

/** The numbers of tools that are measured. */
export const SIZES = [1, 50, 500, 2000];

/**
 * One tool, told in a way that every contender can be given.
 *
 * @typedef {object} BenchTool
 * @property {string} name
 * @property {string} description
 * @property {import('zod').ZodObject} schema
 * @property {(input: Input) => string} run The small text that is the result.
 */

/** @typedef {{ title: string, count: number, mode: string }} Input */

// Contenders of one process share these schemas: Zod compiles a function per schema, and so one warm-up serves all of them alike.
// No more are made than are asked for: a process that starts with 500 tools pays for 500.
const pool = [];

/**
 * The first tools of the pool.
 *
 * @param {number} size
 * @returns {readonly BenchTool[]}
 */
export function listTools(size) {
  while (pool.length < size) pool.push(createTool(pool.length));
  return pool.slice(0, size);
}

/**
 * The same tools as `tools/list` shows them, for contenders that keep ready objects.
 *
 * @param {number} size
 */
export function toListed(size) {
  return listTools(size).map(({ name, description, schema }) => ({
    name,
    description,
    inputSchema: z.toJSONSchema(schema, { io: 'input' }),
  }));
}

/** @returns {BenchTool} */
function createTool(index) {
  // Names of one length, so that requests are equally long whatever the number of tools.
  const name = `tool_${String(index).padStart(4, '0')}`;
  return {
    name,
    description: `Tool number ${index} of the benchmark; it says what it was given.`,
    schema: z.object({
      title: z.string().describe('What it is about'),
      count: z.number().describe('How many'),
      mode: z.enum(['fast', 'careful', 'exact']).describe('How it is done'),
      range: z.object({ from: z.number(), to: z.number() }).optional().describe('Where to look'),
      labels: z.array(z.string()).optional().describe('Words to attach'),
    }),
    run: ({ title, count, mode }) => `${name}: ${count} of ${title} (${mode})`,
  };
}
