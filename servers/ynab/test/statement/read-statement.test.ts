import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStatement } from '../../src/statement/read-statement.ts';
import type { CsvFormat, Statement } from '../../src/statement/statement.ts';

function read(csv: string, format: CsvFormat = {}): Statement {
  const result = readStatement(csv, { format, decimalDigits: 2 });
  if (!result.ok) throw new Error(result.reason);
  return result.statement;
}

function reasonOf(csv: string, format: CsvFormat = {}): string {
  const result = readStatement(csv, { format, decimalDigits: 2 });
  return result.ok ? '' : result.reason;
}

describe('presets of banks', () => {
  test('TD: no header, month first, debit and credit', () => {
    const { rows, errors, warnings, detected } = read(
      [
        '01/05/2024,TIM HORTONS #1234,4.57,,1995.43',
        '01/06/2024,PAYROLL ACME INC,,1500.00,3495.43',
        '01/07/2024,"SHELL, TORONTO",61.20,,3434.23',
        '',
      ].join('\r\n'),
    );
    expect(rows).toEqual([
      { row: 1, date: '2024-01-05', amount: -4570, description: 'TIM HORTONS #1234' },
      { row: 2, date: '2024-01-06', amount: 1_500_000, description: 'PAYROLL ACME INC' },
      { row: 3, date: '2024-01-07', amount: -61_200, description: 'SHELL, TORONTO' },
    ]);
    expect([errors, warnings]).toEqual([[], []]);
    expect(detected).toEqual({
      preset: 'TD',
      delimiter: ',',
      has_header: false,
      date_column: 0,
      amount_columns: [],
      debit_column: 2,
      credit_column: 3,
      description_columns: [1],
      date_format: 'MDY',
      decimal_separator: '.',
      has_explicit_signs: true,
    });
  });

  test('RBC: two descriptions, and dollars of two countries', () => {
    const { rows, detected } = read(
      [
        '"Account Type","Account Number","Transaction Date","Cheque Number","Description 1","Description 2","CAD$","USD$"',
        'Chequing,01234-1234567,1/5/2024,,"CONTACTLESS INTERAC PURCHASE - 1234","LOBLAWS 1079",-54.12,,',
        'Chequing,01234-1234567,1/8/2024,,"PAYROLL DEPOSIT","ACME INC",2100.00,,',
        'Visa,4500123412341234,1/9/2024,,"NETFLIX.COM","",,-15.49,',
      ].join('\n'),
    );
    expect(rows).toEqual([
      {
        row: 2,
        date: '2024-01-05',
        amount: -54_120,
        description: 'CONTACTLESS INTERAC PURCHASE - 1234 LOBLAWS 1079',
      },
      { row: 3, date: '2024-01-08', amount: 2_100_000, description: 'PAYROLL DEPOSIT ACME INC' },
      { row: 4, date: '2024-01-09', amount: -15_490, description: 'NETFLIX.COM' },
    ]);
    expect(detected).toMatchObject({
      preset: 'RBC',
      date_format: 'MDY',
      amount_columns: ['CAD$', 'USD$'],
      has_explicit_signs: false,
    });
  });

  test('Scotiabank: the type of the transaction has the sign', () => {
    const { rows, detected } = read(
      [
        'Filter,Date,Description,Sub-description,Status,Type of Transaction,Amount',
        '"All transactions",2024-02-03,"UBER CANADA/UBEREATS","TORONTO ON",Posted,Debit,32.10',
        '"All transactions",2024-02-04,"PAYMENT FROM - *****12*3456","",Posted,Credit,500.00',
      ].join('\n'),
    );
    expect(rows).toEqual([
      { row: 2, date: '2024-02-03', amount: -32_100, description: 'UBER CANADA/UBEREATS TORONTO ON' },
      { row: 3, date: '2024-02-04', amount: 500_000, description: 'PAYMENT FROM - *****12*3456' },
    ]);
    expect(detected).toMatchObject({ preset: 'Scotiabank', has_explicit_signs: true });
  });

  test('Scotiabank: older files without a header', () => {
    const { rows, detected } = read(
      '1/5/2024,-12.50,-,"POS Purchase","FPOS STARBUCKS"\n1/6/2024,800.00,-,"DEPOSIT","MB-EMAIL"\n',
    );
    expect(rows).toEqual([
      { row: 1, date: '2024-01-05', amount: -12_500, description: 'POS Purchase FPOS STARBUCKS' },
      { row: 2, date: '2024-01-06', amount: 800_000, description: 'DEPOSIT MB-EMAIL' },
    ]);
    expect(detected).toMatchObject({ preset: 'Scotiabank', has_header: false, date_format: 'MDY' });
  });

  test('Wealthsimple: ISO dates', () => {
    const { rows, detected } = read(
      [
        '"date","transaction","description","amount","balance","currency"',
        '"2024-03-01","SPEND","Spend: Metro Inc","-23.45","976.55","CAD"',
        '"2024-03-02","INT","Interest earned","1.02","977.57","CAD"',
      ].join('\n'),
    );
    expect(rows).toEqual([
      { row: 2, date: '2024-03-01', amount: -23_450, description: 'Spend: Metro Inc' },
      { row: 3, date: '2024-03-02', amount: 1020, description: 'Interest earned' },
    ]);
    expect(detected).toMatchObject({ preset: 'Wealthsimple', date_format: 'YMD' });
  });

  test('Wealthsimple: the credit card', () => {
    const { rows } = read(
      'transaction_date,post_date,type,details,amount,currency\n2024-03-01,2024-03-03,Purchase,SPOTIFY P2,11.29,CAD\n',
    );
    expect(rows).toEqual([{ row: 2, date: '2024-03-01', amount: 11_290, description: 'SPOTIFY P2' }]);
  });

  test('Tangerine: the name is the description', () => {
    const { rows, detected } = read(
      [
        'Date,Transaction,Name,Memo,Amount',
        '1/5/2024,DEBIT,HYDRO ONE,Bill payment,-88.10',
        '1/6/2024,CREDIT,INTERAC e-Transfer From: SAM,Transferred,40',
      ].join('\n'),
    );
    expect(rows).toEqual([
      { row: 2, date: '2024-01-05', amount: -88_100, description: 'HYDRO ONE' },
      { row: 3, date: '2024-01-06', amount: 40_000, description: 'INTERAC e-Transfer From: SAM' },
    ]);
    expect(detected).toMatchObject({ preset: 'Tangerine', date_format: 'MDY' });
  });

  test('a preset with other dates is read by the dates', () => {
    const { rows } = read('Date,Transaction,Name,Memo,Amount\n25/1/2024,DEBIT,A,,-1\n3/1/2024,DEBIT,B,,-2\n');
    expect(rows.map(({ date }) => date)).toEqual(['2024-01-25', '2024-01-03']);
  });
});

describe('names of columns', () => {
  test.each(['Details', 'Memo', 'Narration', 'Reference', 'Payee', 'Merchant Name', 'Verwendungszweck'])(
    '%s is the description',
    (name) => {
      expect(read(`Date,${name},Amount\n2024-01-05,Coffee,-4.50\n`).rows).toEqual([
        { row: 2, date: '2024-01-05', amount: -4500, description: 'Coffee' },
      ]);
    },
  );

  test.each([
    ['Date,Description,Withdrawals,Deposits,Balance', '2024-01-05,Coffee,4.50,,95.50'],
    ['Posting Date,Description,Money Out,Money In', '2024-01-05,Coffee,4.50,'],
    ['Date,Description,Debit Amount,Credit Amount,Running Balance Amount', '2024-01-05,Coffee,4.50,,1.00'],
    ['Date,Description,Debit', '2024-01-05,Coffee,4.50'],
    ['Date,Description,Amount,Transaction Type', '2024-01-05,Coffee,4.50,DR'],
    ['Transaction Date (UTC),Card,Details,Net Amount', '2024-01-05,1234,Coffee,-4.50'],
    ['Datum,Begünstigter,Betrag,Währung', '2024-01-05,Coffee,"-4,50",EUR'],
    ['Datum,Saldo (EUR),Empfänger,Betrag (EUR)', '2024-01-05,"95,50",Coffee,"-4,50"'],
    ['Date,Balance (GBP),Details,Paid out (GBP),Paid in (GBP)', '2024-01-05,95.50,Coffee,4.50,'],
    ['Päivä,Saaja,Summa', '2024-01-05,Coffee,"-4,50"'],
  ])('%s', (header, line) => {
    const { rows, errors } = read(`${header}\n${line}\n`);
    expect(errors).toEqual([]);
    expect(rows).toEqual([{ row: 2, date: '2024-01-05', amount: -4500, description: 'Coffee' }]);
  });

  test.each([
    [',', '2024-01-05,Coffee,-4.50'],
    [';', '2024-01-05;Coffee;-4,50'],
    ['\t', '2024-01-05\tCoffee\t-4.50'],
    ['|', '2024-01-05|Coffee|-4.50'],
  ])('the delimiter %j is detected, without a header too', (delimiter, line) => {
    const withHeader = read(`${['Date', 'Payee', 'Amount'].join(delimiter)}\n${line}\n${line}`);
    const without = read(`${line}\n${line}`);
    const row = { date: '2024-01-05', amount: -4500, description: 'Coffee' };
    expect(withHeader.rows).toEqual([
      { row: 2, ...row },
      { row: 3, ...row },
    ]);
    expect(without.rows).toEqual([
      { row: 1, ...row },
      { row: 2, ...row },
    ]);
    expect([withHeader.detected.delimiter, without.detected.delimiter]).toEqual([delimiter, delimiter]);
    expect([withHeader.detected.has_header, without.detected.has_header]).toEqual([true, false]);
  });

  test.each([
    [';', 'Datum;Betrag\n1.11.2026;-1650,00\n', 2],
    [';', '1.11.2026;-1650,00', 1],
    ['\t', 'Date\tAmount\n2026-11-01\t-1,650.00\n', 2],
    [';', 'Konto 12345\nZeitraum: November, 2026\n\nDatum;Betrag\n1.11.2026;-1650,00\n', 5],
    [';', 'Buchungstag;Text;Betrag\n01.11.26;Miete, Strom, Gas;-1.650,00\n\n\n\n', 2],
    [',', 'Date,Description,Amount\n2026-11-01,a;b;c,-1650.00\n', 2],
  ])('the delimiter %j of a short file is detected: %j', (delimiter, csv, row) => {
    const { rows, errors, detected } = read(csv);
    expect(rows).toMatchObject([{ row, date: '2026-11-01', amount: -1_650_000 }]);
    expect([errors, detected.delimiter]).toEqual([[], delimiter]);
  });

  test('a header without rows has its delimiter', () => {
    expect(read('Datum;Betrag\n').detected).toMatchObject({
      delimiter: ';',
      date_column: 'Datum',
      amount_columns: ['Betrag'],
    });
  });

  test.each(['sep=;', '"sep=;"', 'SEP=;\r'])('the line %j of Excel names the delimiter', (first) => {
    const { rows, errors, detected } = read(
      `\uFEFF${first}\nDate;Payee;Amount\n2024-01-05;a,b,c,d,e;-4,50\n`,
    );
    expect(rows).toEqual([{ row: 3, date: '2024-01-05', amount: -4500, description: 'a,b,c,d,e' }]);
    expect([errors, detected.delimiter, detected.has_header]).toEqual([[], ';', true]);
  });

  test('the running balance is not the amount', () => {
    const { rows, warnings } = read('2024-01-05,100.00,Rent,40.00\n2024-01-06,70.00,Shop,30.00\n');
    expect(rows.map(({ amount }) => amount)).toEqual([40_000, 30_000]);
    expect(warnings).toEqual([]);
  });

  test('two columns that both could be the amount are said', () => {
    const { rows, warnings } = read('2024-01-05,7.10,Rent,40.00\n2024-01-06,8.20,Shop,30.00\n');
    expect(rows.map(({ amount }) => amount)).toEqual([7100, 8200]);
    expect(warnings.map(({ code }) => code)).toEqual(['ambiguous_columns']);
  });

  test('lines about the account before the header are skipped', () => {
    const { rows, warnings } = read(
      'Account: 12345\nPeriod: January\n\nDate,Description,Amount\n2024-01-05,Coffee,-4.50\n',
    );
    expect(rows).toEqual([{ row: 5, date: '2024-01-05', amount: -4500, description: 'Coffee' }]);
    expect(warnings).toEqual([
      { code: 'rows_before_header', message: 'Rows before the header: 2. They were skipped.', rows: [1, 2] },
    ]);
  });
});

describe('hints', () => {
  const file = 'when,what,code,how much\n02/01/2024,Coffee,7,-4.50\n';

  test.each<CsvFormat>([
    { date_column: 'when', description_column: 'what', amount_column: 'how much', date_format: 'DMY' },
    { date_column: 'WHEN', description_column: 1, amount_column: '3', date_format: 'dd/mm/yyyy' },
    { amount_column: 3, date_format: 'DMY', has_header: true, delimiter: ',' },
  ])('%j', (format) => {
    expect(read(file, format).rows).toEqual([
      { row: 2, date: '2024-01-02', amount: -4500, description: 'Coffee' },
    ]);
  });

  test('without a header, every row is data', () => {
    const { rows, errors } = read('Date,Payee,Amount\n2024-01-05,Coffee,-4.50\n', { has_header: false });
    expect(rows).toHaveLength(1);
    expect(errors).toEqual([{ row: 1, field: 'date', message: 'Invalid date "Date": expected YMD.' }]);
  });

  test('debit and credit by index', () => {
    const { rows } = read('2024-01-05,x,4.50,\n2024-01-06,y,,7.00\n', {
      date_column: 0,
      description_column: 1,
      debit_column: 2,
      credit_column: 3,
    });
    expect(rows.map(({ amount }) => amount)).toEqual([-4500, 7000]);
  });

  test('a date_format decides ambiguous dates, and says nothing', () => {
    const { rows, warnings } = read('Date,Payee,Amount\n01/02/2024,Coffee,-4.50\n', { date_format: 'DMY' });
    expect(rows[0]?.date).toBe('2024-02-01');
    expect(warnings).toEqual([]);
  });

  test.each<[CsvFormat, string]>([
    [
      { date_column: 'nope' },
      'csv_format.date_column: the file has no column "nope" (columns: when, what, code, how much). Use the name of a column or its index from 0.',
    ],
    [
      { amount_column: 9 },
      'csv_format.amount_column: the file has no column 9 (columns: when, what, code, how much). Use the name of a column or its index from 0.',
    ],
    [
      { amount_column: 3, debit_column: 2 },
      'csv_format: use either amount_column, or debit_column and credit_column, not both.',
    ],
    [
      { date_format: 'YDM' },
      'Invalid csv_format.date_format "YDM": use MDY, DMY, YMD or a pattern such as DD.MM.YYYY.',
    ],
  ])('%j is rejected', (format, reason) => {
    expect(reasonOf(file, format)).toBe(reason);
  });
});

describe('bad files', () => {
  test.each([
    ['', 'The CSV file has no rows.'],
    ['\n\n , \n', 'The CSV file has no rows.'],
    [
      'Payee,Amount\nCoffee,-4.50\n',
      'The file has no column that can be recognized as the date (columns: Payee, Amount). Name it in csv_format.date_column.',
    ],
    [
      'Date,Payee\n2024-01-05,Coffee\n',
      'The file has no column that can be recognized as the amount (columns: Date, Payee). Name it in csv_format.amount_column.',
    ],
  ])('%j', (csv, reason) => {
    expect(reasonOf(csv)).toBe(reason);
  });

  test('more than 10 MB is rejected before it is parsed', () => {
    const csv = `Date,Payee,Amount\n${'é'.repeat(5 * 1024 * 1024)}`;
    expect(reasonOf(csv)).toBe(
      'The CSV file has 10485778 bytes; the limit is 10485760. Split the statement.',
    );
  });

  const LENGTH = 60_000;
  test.each([
    ['one line of commas', ','.repeat(LENGTH), 0],
    ['a cell of commas', `Date;Payee;Amount\n2024-01-05;${','.repeat(LENGTH)};-4.50\n`, 1],
    ['a date before spaces', `Date,Payee,Amount\n2024-01-05${' '.repeat(LENGTH)}x,Coffee,-4.50\n`, 0],
    ['an amount of signs', `Date,Payee,Amount\n2024-01-05,Coffee,${'-'.repeat(LENGTH)}!1\n`, 0],
    ['thousands of columns', '2024-01-05,4.50,'.repeat(LENGTH / 16), 1],
  ])('the time to read a file grows with its length alone: %s', (_, csv, count) => {
    const before = process.cpuUsage();
    const result = readStatement(csv, { decimalDigits: 2 });
    const { user, system } = process.cpuUsage(before);
    expect(result.ok ? result.statement.rows.length : 0).toBe(count);
    // Measured: 0.01 to 0.06 s. A search that begins anew at each character takes 5 to 60 s.
    expect((user + system) / 1e6).toBeLessThan(2);
  });

  test('an error of a row has its number, and the other rows are read', () => {
    const { rows, errors } = read(
      [
        'Date,Payee,Amount',
        '2024-01-05,"Two',
        'lines",-4.50',
        '',
        '2024-02-30,Coffee,-4.50',
        '2024-01-06,Coffee,four',
        '2024-01-07,Coffee,',
        ',Coffee,1.00',
        '2024-01-08,Tea,-1.00',
      ].join('\n'),
    );
    expect(rows).toEqual([
      { row: 2, date: '2024-01-05', amount: -4500, description: 'Two lines' },
      { row: 8, date: '2024-01-08', amount: -1000, description: 'Tea' },
    ]);
    expect(errors).toEqual([
      { row: 4, field: 'date', message: 'Invalid date "2024-02-30": expected YMD.' },
      { row: 5, field: 'amount', message: 'Invalid amount: "four" is not an amount such as 12.34.' },
      { row: 6, field: 'amount', message: 'Invalid amount: the row has no amount.' },
      { row: 7, field: 'date', message: 'The row has no date.' },
    ]);
  });

  test('a quote that is never closed costs at most its own row', () => {
    const { rows, errors } = read(
      [
        'Date,Payee,Amount',
        '2024-01-05,"5"" pipe",-1.00',
        '2024-01-06,"5" pipe,-2.00',
        '2024-01-07,"Open,-3.00',
        '2024-01-08,"Shop, Inc.",-4.00',
        '2024-01-09,Tea,-5.00',
      ].join('\n'),
    );
    expect(rows.map(({ row, amount, description }) => [row, amount, description])).toEqual([
      [2, -1000, '5" pipe'],
      [3, -2000, '5" pipe'],
      [4, -3000, 'Open'],
      [5, -4000, 'Shop, Inc.'],
      [6, -5000, 'Tea'],
    ]);
    expect(errors).toEqual([]);
  });

  test('debit and credit in one row are netted and said', () => {
    const { rows, warnings } = read(
      'Date,Payee,Debit,Credit\n2024-01-05,A,10.00,4.00\n2024-01-06,B,0.00,4.00\n',
    );
    expect(rows.map(({ amount }) => amount)).toEqual([-6000, 4000]);
    expect(warnings).toEqual([
      {
        code: 'debit_and_credit',
        message: 'Rows with both a debit and a credit: 1. Their amount is the credit minus the debit.',
        rows: [2],
      },
    ]);
  });

  test.each([
    ['debits with a minus', ['-5.00,', '-6.00,', ',7.00'], [-5000, -6000, 7000]],
    ['a debit that is taken back', ['5.00,', '-6.00,', ',7.00'], [-5000, 6000, 7000]],
  ])('%s', (_, cells, amounts) => {
    const lines = cells.map((cell) => `2024-01-05,A,${cell}`);
    const { rows } = read(`Date,Payee,Debit,Credit\n${lines.join('\n')}\n`);
    expect(rows.map(({ amount }) => amount)).toEqual(amounts);
  });

  test('ambiguous dates and amounts are said with their rows', () => {
    const { rows, warnings } = read('Date,Payee,Amount\n01/02/2024,A,"1,234"\n02/02/2024,B,5\n');
    expect(rows.map(({ date, amount }) => [date, amount])).toEqual([
      ['2024-02-01', 1_234_000],
      ['2024-02-02', 5000],
    ]);
    expect(warnings).toEqual([
      {
        code: 'ambiguous_dates',
        message:
          'Dates that fit more than one order: 1. They were read as DMY. Set csv_format.date_format if that is wrong.',
        rows: [2],
      },
      {
        code: 'ambiguous_amounts',
        message:
          'Amounts with one separator before three digits: 1. It was read as a separator of thousands.',
        rows: [2],
      },
    ]);
  });

  test('invisible characters leave, and long texts are cut', () => {
    const hidden =
      '\uFEFFDate,Payee,Amount\n2024-01-05,\u202EPay\u200B\u0000p\u034Fa\u3164l\u2066 \u00A0Inc\u{E0041}\u0007,-4.50\n';
    expect(read(hidden).rows).toEqual([
      { row: 2, date: '2024-01-05', amount: -4500, description: 'Paypal Inc' },
    ]);
    expect(read(`Date,Payee,Amount\n2024-01-05,${'a'.repeat(5000)},1\n`).rows[0]?.description).toBe(
      'a'.repeat(200),
    );
  });
});

describe('any file', () => {
  const cell = fc.oneof(
    fc.constantFrom(
      '',
      '2024-01-05',
      '01/02/2024',
      '-4.50',
      '1.234,56',
      '"',
      'a"b',
      'Date',
      'Amount',
      'Credit',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  const text = fc
    .tuple(fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 8 }), fc.constantFrom(',', ';', '\t', '|'))
    .map(([lines, delimiter]) => lines.map((cells) => cells.join(delimiter)).join('\n'));
  const hint = fc.option(fc.oneof(fc.integer({ min: -1, max: 7 }), cell), { nil: undefined });
  const format = fc.record({
    date_column: hint,
    amount_column: hint,
    debit_column: hint,
    description_column: hint,
    has_header: fc.option(fc.boolean(), { nil: undefined }),
    date_format: fc.option(fc.constantFrom('MDY', 'DMY', 'x'), { nil: undefined }),
  });

  test('reading never throws, and gives integers and dates', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), format, (csv, hints) => {
        const result = readStatement(csv, { format: hints, decimalDigits: 2 });
        expect(result).not.toMatchObject({ reason: '' });
        for (const { date, amount } of result.ok ? result.statement.rows : []) {
          expect(Number.isSafeInteger(amount)).toBe(true);
          expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('every row of data ends as a row or as an error, once', () => {
    const line = fc.array(
      cell.map((each) => each.replaceAll(/["\s,\p{C}]/gu, '')),
      { minLength: 3, maxLength: 3 },
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), (lines) => {
        const { rows, errors } = read(
          ['Date,Payee,Amount', '2024-01-05,a,1.00', ...lines.map((cells) => cells.join(','))].join('\n'),
        );
        const filled = lines.flatMap((cells, index) =>
          cells.some((each) => each !== '') ? [index + 3] : [],
        );
        const numbers = [...rows, ...errors].map(({ row }) => row);
        expect(numbers.toSorted((left, right) => left - right)).toEqual([2, ...filled]);
      }),
      { numRuns: 300 },
    );
  });
});
