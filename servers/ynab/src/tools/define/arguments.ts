import * as z from 'zod';
import { isCalendarDate } from '../../data/dates.ts';

/** Arguments that several tools share. */

/** Filled by the default argument resolver, so it is optional for callers and always there for handlers. */
export const budgetId = z
  .string()
  .min(1)
  .describe('Budget id, "default" or "last-used". Default: the default budget.');

/** A short pattern, because every list of tools repeats it; the calendar is checked beside it. */
export const isoDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date, YYYY-MM-DD', abort: true })
  .refine(isCalendarDate, 'must be a date of the calendar')
  .describe('YYYY-MM-DD');

export const isoMonth = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])-01$/, 'must be the first day of a month, YYYY-MM-01')
  .describe('First day of the month, YYYY-MM-01.');

export const responseFormat = z
  .enum(['markdown', 'json'])
  .default('markdown')
  .describe('Format of the result.');

export const dryRun = z.boolean().default(false).describe('Only return what would be sent.');

export const limit = z.int().min(1).max(500).default(50).describe('Maximum number of entries.');

export const offset = z.int().min(0).default(0).describe('Number of entries to skip.');

export const flagColor = z.enum(['red', 'orange', 'yellow', 'green', 'blue', 'purple']);

export const clearedStatus = z.enum(['cleared', 'uncleared', 'reconciled']);

/** An amount: exactly one of the two. Outflows are negative. */
export const amount = {
  amount_decimal: z
    .number()
    .optional()
    .describe('Amount in currency units, negative for outflows. Or amount_milliunits.'),
  amount_milliunits: z.int().optional().describe('Amount in milliunits (1,000 = one unit of the currency).'),
};
