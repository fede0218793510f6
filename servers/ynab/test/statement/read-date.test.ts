import { describe, expect, test } from 'vitest';
import { toDayNumber } from '../../src/statement/calendar-date.ts';
import { detectOrder, findDate, findOrder } from '../../src/statement/read-date.ts';

describe('dates in a statement', () => {
  test.each([
    ['2024-01-15', 'MDY', '2024-01-15'],
    ['2024/1/5', 'DMY', '2024-01-05'],
    ['20240115', 'MDY', '2024-01-15'],
    ['2024-01-15T23:59:59Z', 'MDY', '2024-01-15'],
    ['2024-01-15 08:30', 'MDY', '2024-01-15'],
    ['2024-01-15T08:30:00.123+01:00', 'MDY', '2024-01-15'],
    ['15.01.2024, 8:30 Uhr', 'DMY', '2024-01-15'],
    ['1/15/2024 8:30 PM EST', 'MDY', '2024-01-15'],
    ['2024-01-15T08:30:00;Shop;-12', 'MDY', undefined],
    ['2024-01-15,08:30,Shop,-12.00', 'MDY', undefined],
    [`2024-01-15${' '.repeat(49)}08:30`, 'MDY', '2024-01-15'],
    [`2024-01-15${' '.repeat(50)}08:30`, 'MDY', undefined],
    ['01/02/2024', 'MDY', '2024-01-02'],
    ['01/02/2024', 'DMY', '2024-02-01'],
    ['1/2/24', 'DMY', '2024-02-01'],
    ['24-02-01', 'YMD', '2024-02-01'],
    ['31.12.2023', 'DMY', '2023-12-31'],
    ['15 Jan 2024', 'MDY', '2024-01-15'],
    ['15-January-24', 'MDY', '2024-01-15'],
    ['Jan 15, 2024', 'DMY', '2024-01-15'],
    ['29/02/2024', 'DMY', '2024-02-29'],
    ['29/02/2023', 'DMY', undefined],
    ['29/02/2100', 'DMY', undefined],
    ['29/02/2000', 'DMY', '2000-02-29'],
    ['31/04/2024', 'DMY', undefined],
    ['00/04/2024', 'DMY', undefined],
    ['01/00/2024', 'DMY', undefined],
    ['13/01/2024', 'MDY', undefined],
    ['01/02/2024', 'YMD', undefined],
    ['2024-13-01', 'MDY', undefined],
    ['15 Foo 2024', 'MDY', undefined],
    ['0000-01-01', 'MDY', undefined],
    ['12.34', 'MDY', undefined],
    ['', 'MDY', undefined],
  ] as const)('%s as %s is %s', (cell, order, date) => {
    expect(findDate(cell, order)).toBe(date);
  });

  test.each([
    ['MDY', 'MDY'],
    ['MM/DD/YYYY', 'MDY'],
    ['dd.mm.yy', 'DMY'],
    ['YYYY-MM-DD', 'YMD'],
    ['D MMM YYYY', 'DMY'],
    ['YDM', undefined],
    ['', undefined],
    ['MM/YYYY', undefined],
  ])('the format %j has the order %s', (format, order) => {
    expect(findOrder(format)).toBe(order);
  });

  test.each([
    ['one day above twelve settles all', ['01/02/2024', '13/02/2024'], undefined, 'DMY', []],
    ['years in front need no order', ['2024-01-02', '2024-03-04'], undefined, 'YMD', []],
    ['the shorter period wins', ['01/02/2024', '02/02/2024', '03/02/2024'], undefined, 'DMY', [0, 2]],
    ['month first if the periods are equal', ['01/02/2024'], undefined, 'MDY', [0]],
    ['the order of the bank', ['01/02/2024', '02/02/2024'], 'MDY', 'MDY', []],
    ['the order of the bank does not fit', ['01/02/2024', '14/02/2024'], 'MDY', 'DMY', []],
    ['the same day in both orders is clear', ['02/02/2024', '03/03/2024'], undefined, 'MDY', []],
    ['dots: day first, although the period is longer', ['01.10.2024', '01.11.2024'], undefined, 'DMY', []],
    ['dots: day first, although a date is bad', ['05.11.2024', 'x'], undefined, 'DMY', []],
    ['dots: month first if the bank writes so', ['05.11.2024'], 'MDY', 'MDY', []],
    ['one bad date does not decide', ['13/02/2024', '14/02/2024', 'x'], undefined, 'DMY', []],
  ] as const)('%s', (_, cells, preferred, order, ambiguous) => {
    expect(detectOrder(cells, preferred)).toEqual({ order, ambiguous });
  });

  test('days are counted over months and leap years', () => {
    expect(toDayNumber('2024-03-01') - toDayNumber('2024-02-28')).toBe(2);
    expect(toDayNumber('1970-01-02')).toBe(1);
  });
});
