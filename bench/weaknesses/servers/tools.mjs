/** The tools of both servers, defined once: most of them misbehave. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

/** Content of a notification of the flood, and the number of notifications: 640 MB in all. */
const PIECE = 'x'.repeat(32 * 1024);
const PIECES = 20_000;

const NONE = z.object({});

/**
 * @typedef {object} WeakTool
 * @property {string} name
 * @property {import('zod').ZodType} schema
 * @property {(input: any, progress: (count: number, message: string) => unknown) => unknown} run Gives a whole result.
 */

/** @type {readonly WeakTool[]} */
export const TOOLS = [
  { name: 'fine', schema: NONE, run: () => toText('fine') },
  { name: 'bigint', schema: NONE, run: () => toStructured({ n: 1n }) },
  {
    name: 'cycle',
    schema: NONE,
    run: () => {
      const value = {};
      value.self = value;
      return toStructured(value);
    },
  },
  { name: 'nested', schema: NONE, run: () => toStructured({ value: nest(10_000) }) },
  { name: 'echo', schema: z.object({ value: z.any() }), run: ({ value }) => toStructured({ value }) },
  { name: 'keys', schema: z.looseObject({}), run: (input) => toText(`${Object.keys(input).length} keys`) },
  {
    name: 'throws',
    schema: NONE,
    run: () => {
      throw new Error('secret=/etc/passwd boom');
    },
  },
  {
    name: 'stray',
    schema: NONE,
    run: () => {
      void Promise.reject(new Error('nobody looks at this'));
      return toText('done');
    },
  },
  {
    name: 'slow',
    schema: z.object({ ticket: z.string(), ms: z.number() }),
    run: async ({ ticket, ms }) => {
      process.send({ seen: ticket });
      await wait(ms);
      return toText(ticket);
    },
  },
  {
    name: 'flood',
    schema: NONE,
    run: async (_, progress) => {
      for (let count = 1; count <= PIECES; count += 1) await progress(count, PIECE);
      process.send({ flooded: true });
      return toText('flooded');
    },
  },
];

function toText(text) {
  return { content: [{ type: 'text', text }] };
}

function toStructured(structuredContent) {
  return { content: [{ type: 'text', text: 'see structuredContent' }], structuredContent };
}

function nest(depth) {
  let value = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
}
