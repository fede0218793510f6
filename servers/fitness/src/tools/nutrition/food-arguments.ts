import * as z from 'zod';

/** The id of a food: its digits, or a number that has lost its leading zeros. */
export const fdcId = z
  .union([z.string().regex(/^[0-9]{1,5}$/), z.int().min(1).max(99_999)])
  .describe('Five digits, as search_food returns them; shorter ids are padded with zeros');
