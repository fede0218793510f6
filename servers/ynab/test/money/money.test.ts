import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney } from '../../src/money/currency-format.ts';
import { parseDecimal, toDecimal, toDecimalString } from '../../src/money/money.ts';

describe('amounts of money', () => {
  test.each([
    ['12.34', 2, 12_340],
    [12.34, 2, 12_340],
    ['-0.1', 2, -100],
    [0.1, 2, 100],
    [1234, 0, 1_234_000],
    ['12.340', 2, 12_340],
    ['1.234', 3, 1234],
    ['-0', 2, 0],
  ])('%s with %i digits is %i milliunits', (value, digits, milliunits) => {
    expect(parseDecimal(value, digits)).toEqual({ ok: true, milliunits });
  });

  test.each([
    ['12.345', 2, '12.345 has more than 2 decimal digits'],
    [0.5, 0, '0.5 has more than 0 decimal digits'],
    [1e21, 2, '1e+21 is too large'],
    [-1e15, 2, '-1000000000000000 is too large'],
    ['1e-7', 2, '"1e-7" is not a decimal amount such as 12.34'],
    ['', 2, '"" is not a decimal amount such as 12.34'],
    ['12,34', 2, '"12,34" is not a decimal amount such as 12.34'],
    ['999999999999999', 2, '999999999999999 is too large'],
  ])('%s with %i digits is rejected', (value, digits, reason) => {
    expect(parseDecimal(value, digits)).toEqual({ ok: false, reason });
  });

  test.each([
    [-12_340, 2, '-12.34'],
    [5, 2, '0.01'],
    [-5, 2, '-0.01'],
    [4, 2, '0.00'],
    [-4, 2, '0.00'],
    [1_234_500, 0, '1235'],
    [1_234_567, 3, '1234.567'],
  ])('%i milliunits with %i digits are %s', (milliunits, digits, text) => {
    expect(toDecimalString(milliunits, digits)).toBe(text);
  });

  test('the decimal form of an amount parses to the same amount', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
        fc.integer({ min: 0, max: 3 }),
        (steps, digits) => {
          const milliunits = steps * 10 ** (3 - digits) || 0;
          const parsed = { ok: true, milliunits };
          expect(parseDecimal(toDecimalString(milliunits, digits), digits)).toEqual(parsed);
          expect(parseDecimal(toDecimal(milliunits, digits), digits)).toEqual(parsed);
        },
      ),
    );
  });

  test('amounts are written as the budget writes them', () => {
    const dollar = {
      iso_code: 'USD',
      decimal_digits: 2,
      decimal_separator: '.',
      group_separator: ',',
      symbol_first: true,
      currency_symbol: '$',
      display_symbol: true,
    };
    const euro = {
      ...dollar,
      decimal_separator: ',',
      group_separator: '.',
      symbol_first: false,
      currency_symbol: '€',
    };
    expect(formatMoney(-1_234_500, dollar)).toBe('-$1,234.50');
    expect(formatMoney(1_234_567_890, euro)).toBe('1.234.567,89 €');
    expect(formatMoney(1_500_000, { ...dollar, decimal_digits: 0, display_symbol: false })).toBe('1,500');
  });
});
