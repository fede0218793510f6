import { z } from 'zod';
import { REAL_SHAPES } from './real-shapes/index.mjs';

/** Measured numbers of tools. */
export const SIZES = [1, 50, 500, 2000];

/** Number of tools in the catalogue of real shapes. */
export const REAL_SIZE = 500;

/**
 * Every set of tools that is measured in one process.
 *
 * @type {readonly { size: number, catalogue: Catalogue }[]}
 */
export const SETS = [
  ...SIZES.map((size) => ({ size, catalogue: 'plain' })),
  { size: REAL_SIZE, catalogue: 'real' },
];

/**
 * A set of tools: `plain` ones share one simple shape, `real` ones have the shapes of popular servers in turn.
 *
 * @typedef {'plain' | 'real'} Catalogue
 */

/**
 * One tool, told in a way that every contender can be given.
 *
 * @typedef {object} BenchTool
 * @property {string} name
 * @property {string} description
 * @property {import('zod').ZodObject} schema
 * @property {readonly ((index: number) => object)[]} samples Arguments of calls, in turn.
 * @property {(input: object) => string} run The small text that is the result.
 */

// Contenders in one process share these schemas: Zod compiles a function per schema, so one warm-up serves all of them. Schemas are created
// on demand: a process that starts with 500 tools pays for 500.
const pools = { plain: [], real: [] };

/**
 * The first tools of a pool.
 *
 * @param {number} size
 * @param {Catalogue} [catalogue]
 * @returns {readonly BenchTool[]}
 */
export function listTools(size, catalogue = 'plain') {
  const pool = pools[catalogue];
  const create = catalogue === 'plain' ? createPlainTool : createRealTool;
  while (pool.length < size) pool.push(create(pool.length));
  return pool.slice(0, size);
}

/**
 * The same tools as in `tools/list`, for contenders that keep prepared objects.
 *
 * @param {number} size
 * @param {Catalogue} [catalogue]
 */
export function toListed(size, catalogue) {
  return listTools(size, catalogue).map(({ name, description, schema }) => ({
    name,
    description,
    inputSchema: z.toJSONSchema(schema, { io: 'input' }),
  }));
}

const PLAIN_SAMPLES = [
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

/** @returns {BenchTool} */
function createPlainTool(index) {
  // Names of one length, so that requests have the same length for any number of tools.
  const name = `tool_${String(index).padStart(4, '0')}`;
  return {
    name,
    description: `Tool number ${index} of the benchmark; it returns its arguments.`,
    schema: z.object({
      title: z.string().describe('What it is about'),
      count: z.number().describe('How many'),
      mode: z.enum(['fast', 'careful', 'exact']).describe('How it is done'),
      range: z.object({ from: z.number(), to: z.number() }).optional().describe('Where to look'),
      labels: z.array(z.string()).optional().describe('Words to attach'),
    }),
    samples: PLAIN_SAMPLES,
    run: ({ title, count, mode }) => `${name}: ${count} of ${title} (${mode})`,
  };
}

/** @returns {BenchTool} */
function createRealTool(index) {
  const { name: shapeName, description, fields, samples } = REAL_SHAPES[index % REAL_SHAPES.length];
  const name = `${shapeName}_${String(index).padStart(4, '0')}`;
  return {
    name,
    description,
    schema: z.object(fields()),
    samples: samples.map((sample) => () => sample),
    // Counts the defaults filled in by validation as well.
    run: (input) => `${name}: ${Object.keys(input).length} arguments`,
  };
}
