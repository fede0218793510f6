import * as z from 'zod';
import { facts } from '../markdown/markdown.ts';
import { parseDecimal, toDecimal } from '../money/money.ts';
import { ValidationError } from 'toolwright';
import { defineRead } from './define/define-read.ts';
import type { BudgetTool } from './define/define-read.ts';

const LOCAL_WRITE = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Currency units are converted with three digits, the precision of milliunits. */
const MILLIUNIT_DIGITS = 3;

const getUser = defineRead({
  name: 'get_user',
  title: 'Get the user',
  description: 'Returns the user of the access token.',
  arguments: {},
  read: async ({ context }) => {
    const { id } = await context.budgets.user();
    return { data: { user: { id } }, markdown: () => facts([['User', id]]) };
  },
});

const convertAmount = defineRead({
  name: 'convert_amount',
  title: 'Convert an amount',
  description: 'Converts currency units to milliunits or back. 1,000 milliunits are one unit.',
  arguments: { amount: z.number(), to_milliunits: z.boolean() },
  isLocal: true,
  read: ({ input }) => {
    const converted = input.to_milliunits ? toMilliunits(input.amount) : fromMilliunits(input.amount);
    const data = {
      amount: input.amount,
      converted,
      unit: input.to_milliunits ? 'milliunits' : 'currency units',
    };
    return { data, markdown: () => `${data.converted} ${data.unit}` };
  },
});

const setOutputFormat: BudgetTool = {
  name: 'set_output_format',
  title: 'Set the output format',
  description: 'Sets the format of your JSON results.',
  annotations: LOCAL_WRITE,
  inputSchema: z.object({
    default_minify: z.boolean().optional(),
    pretty_spaces: z.int().min(0).max(10).optional(),
  }),
  handler: ({ input, context }) => {
    const given = input as { default_minify?: boolean; pretty_spaces?: number };
    const { owner } = context;
    const {
      default_minify: minify = owner.output.minify,
      pretty_spaces: prettySpaces = owner.output.prettySpaces,
    } = given;
    owner.output = { minify, prettySpaces };
    return context.toJson({ default_minify: minify, pretty_spaces: prettySpaces });
  },
};

const clearCache: BudgetTool = {
  name: 'clear_cache',
  title: 'Clear the cache',
  description: 'Drops the cached data of your access token, so that the next calls read from the API.',
  annotations: LOCAL_WRITE,
  inputSchema: z.object({}),
  handler: async ({ context }) => {
    await context.store.forgetAll(context.owner);
    return context.toJson({ cleared: true });
  },
};

export const UTILITY_TOOLS: readonly BudgetTool[] = [getUser, convertAmount, clearCache, setOutputFormat];

function toMilliunits(amount: number): number {
  const parsed = parseDecimal(amount, MILLIUNIT_DIGITS);
  if (parsed.ok) return parsed.milliunits;
  throw new ValidationError([{ path: ['amount'], message: parsed.reason }]);
}

function fromMilliunits(amount: number): number {
  if (Number.isSafeInteger(amount)) return toDecimal(amount, MILLIUNIT_DIGITS);
  throw new ValidationError([{ path: ['amount'], message: 'milliunits are integers' }]);
}
