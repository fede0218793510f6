import { describe, expect, test } from 'vitest';
import { detectSeparator, isAmbiguous, readAmount } from '../../src/statement/read-amount.ts';

describe('amounts in a statement', () => {
  test.each([
    ['12.34', 12_340],
    ['-12.34', -12_340],
    ['+12.34', 12_340],
    ['(12.34)', -12_340],
    ['($1,234.50)', -1_234_500],
    ['$(45.00)', -45_000],
    ['-$45.00', -45_000],
    ['$-45.00', -45_000],
    ['45.00-', -45_000],
    ['45,00 €-', -45_000],
    ['\u221245.00', -45_000],
    ['CA$ 45.00', 45_000],
    ['CAD 45.00', 45_000],
    ['45.00 CAD', 45_000],
    ['45 kr.', 45_000],
    ['Rs.500', 500_000],
    ['45.00 CR', 45_000],
    ['45.00 DR', -45_000],
    ['45.00DR', -45_000],
    ['1.234,56', 1_234_560],
    ['1,234.56', 1_234_560],
    ['1 234,56', 1_234_560],
    ['1\u00A0234,56 €', 1_234_560],
    ["1'234.56", 1_234_560],
    ['1,234,567.89', 1_234_567_890],
    ['1.234.567', 1_234_567_000],
    ['12,34,567.00', 1_234_567_000],
    ['1,234', 1_234_000],
    ['1.234', 1_234_000],
    ['0.500', 500],
    ['.50', 500],
    ['-,50', -500],
    ['007.10', 7100],
    ['0', 0],
    ['-0.00', 0],
  ])('%s is %i milliunits', (cell, milliunits) => {
    expect(readAmount(cell, undefined, 2)).toEqual({ ok: true, milliunits });
  });

  test.each([
    '',
    'abc',
    '-',
    '2024-01-15',
    '555-1234',
    '12.34.56',
    '1,23',
    '12 34',
    '(12.34',
    '12.34)',
    '--5',
    '5 dollars',
    'a 5 b 6',
    '١٢',
    '1,2,3',
    `${'0'.repeat(60)}12.34`,
    '1.234.56',
  ])('%j is not an amount', (cell) => {
    const parsed = readAmount(cell, cell === '1,23' ? undefined : '.', cell === '1,23' ? 0 : 2);
    expect(parsed.ok).toBe(false);
  });

  test('digits beyond the currency are an error, not a thousandfold amount', () => {
    expect(readAmount('1.234', '.', 2)).toEqual({
      ok: false,
      reason: '1.234 has more than 2 decimal digits',
    });
    expect(readAmount('1.234', ',', 2)).toEqual({ ok: true, milliunits: 1_234_000 });
    expect(readAmount('1.234', undefined, 3)).toEqual({ ok: true, milliunits: 1234 });
  });

  test.each([
    [['12.34', '1,234'], '.'],
    [['12,34', '1.234'], ','],
    [['1.234.567', '5'], ','],
    [['1,234', '5'], undefined],
    [['12.34', '12,34'], undefined],
    [['1.234,50', 'x'], ','],
    [[], undefined],
  ])('the separator of %j is %s', (cells, separator) => {
    expect(detectSeparator(cells)).toBe(separator);
  });

  test.each([
    ['1,234', true],
    ['12.34', false],
    ['1,234,567', false],
    ['0.123', false],
  ])('%s is ambiguous: %s', (cell, expected) => {
    expect(isAmbiguous(cell)).toBe(expected);
  });
});
