import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Column } from '../../src/markdown/markdown.ts';
import { bullets, facts, heading, table } from '../../src/markdown/markdown.ts';

describe('Markdown of results', () => {
  test('a table has a line for each row, with amounts aligned right', () => {
    const columns: Column<{ payee: string | null; amount: string }>[] = [
      { title: 'Payee', value: (row) => row.payee },
      { title: 'Amount', align: 'right', value: (row) => row.amount },
    ];
    const rows = [
      { payee: 'Shop', amount: '-$1,234.50' },
      { payee: null, amount: '$0.00' },
    ];
    expect(table(columns, rows)).toBe(
      '| Payee | Amount |\n| --- | ---: |\n| Shop | -$1,234.50 |\n|  | $0.00 |',
    );
    expect(table(columns, [])).toBe('| Payee | Amount |\n| --- | ---: |');
  });

  test('facts without a value are left out', () => {
    const pairs = [
      ['Balance', '$5.00'],
      ['Note', null],
      ['Closed', false],
      ['Count', 0],
      ['Flag', undefined],
    ] as const;
    expect(facts(pairs)).toBe('- **Balance**: $5.00\n- **Closed**: false\n- **Count**: 0');
  });

  test('bullets are one line each', () => {
    expect(bullets(['a\nb', '<c>'])).toBe(String.raw`- a b
- \<c>`);
  });

  test('a heading has its level', () => {
    expect(heading(1, 'Budget')).toBe('# Budget');
    expect(heading(3, 'Rent\n# Other')).toBe('### Rent # Other');
  });

  test.each([
    ['a|b', String.raw`a\|b`],
    [String.raw`a\|b`, String.raw`a\\\|b`],
    ['a\r\nb\nc\u2028d\te', 'a b c d e'],
    ['a\u0000b\u001B[2Jc\u007F', String.raw`ab\[2Jc`],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['![x](https://a.test)', String.raw`!\[x](https://a.test)`],
    ['<b>`x`</b>', String.raw`\<b>\`x\`\</b>`],
    ['5 * 3_000', '5 * 3_000'],
    ['👨‍👩‍👧 crème', '👨‍👩‍👧 crème'],
    ['  a  ', 'a'],
  ])('%j is written as %j', (text, written) => {
    expect(facts([['Memo', text]])).toBe(`- **Memo**: ${written}`);
  });

  test('no text ends a cell or a line', () => {
    const columns = [0, 1, 2].map((index) => ({ title: 'x', value: (row: readonly string[]) => row[index] }));
    const cell = fc.string({ unit: fc.constantFrom('|', '\\', '\n', '\r', '\u2028', 'a', '\u0000', ' ') });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1 }), (rows) => {
        const lines = table(columns, rows).split(/[\r\n\u2028]/);
        expect(lines).toHaveLength(rows.length + 2);
        // With pairs of backslashes taken away, each remaining `|` without a backslash separates cells.
        for (const line of lines) expect(line.replaceAll('\\\\', '').match(/(?<!\\)\|/g)).toHaveLength(4);
      }),
    );
  });
});
