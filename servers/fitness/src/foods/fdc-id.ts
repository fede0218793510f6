import { NutritionError } from './nutrition-error.ts';

/** The five-digit id of a food. Integers and strings that lost their leading zeros are padded. */
export function toFdcId(value: string | number, path = 'fdc_id'): string {
  const digits = String(value).trim();
  if (!/^\d{1,5}$/.test(digits))
    throw new NutritionError('invalid_input', [
      {
        path,
        message: `Invalid food id "${digits}": use the five digits that search_food returns, for example "09003".`,
      },
    ]);
  return digits.padStart(5, '0');
}
