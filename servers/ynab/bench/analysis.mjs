/**
 * CPU time of the analysis of a reconciliation: 500 rows against 5,000 transactions. Run `npm run build` here first.
 *
 *   node servers/ynab/bench/analysis.mjs [runs]
 */
import { analyzeReconciliation } from '../dist/reconcile/analyze-reconciliation.js';
import { readStatement } from '../dist/statement/read-statement.js';

const [runs = 10] = process.argv.slice(2).map(Number);
const PAYEES = ['Corner Market', 'Green Grocer', 'City Power', 'Metro Transit', 'Book Shop', 'Bean There'];
const dateOf = (day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
const amountOf = (index) => -((index * 7919) % 20_000) * 10 - 1000;
const transactions = Array.from({ length: 5000 }, (_, index) => ({
  id: `transaction-${index}`,
  account_id: 'account',
  date: dateOf(Math.floor(index / 16)),
  amount: amountOf(index),
  payee_name: PAYEES[index % PAYEES.length],
  cleared: index % 3 === 0 ? 'uncleared' : 'cleared',
  approved: true,
  deleted: false,
}));
/** Three of four rows have a transaction, a day later; the others have none. */
const lines = Array.from({ length: 500 }, (_, index) => {
  const { date, amount, payee_name: payee } = transactions[index * 10];
  const shown = index % 4 === 3 ? amount - 7770 : amount;
  return `${dateOf(dayOf(date) + 1)},${payee.toUpperCase()} ${1000 + index},${(shown / 1000).toFixed(2)}`;
});
const csv = `Date,Description,Amount\n${lines.join('\n')}\n`;
const currency = {
  iso_code: 'USD',
  decimal_digits: 2,
  decimal_separator: '.',
  group_separator: ',',
  symbol_first: true,
  currency_symbol: '$',
  display_symbol: true,
};

const times = [];
for (let run = 0; run < runs; run += 1) {
  const start = process.cpuUsage();
  const { statement } = readStatement(csv, { decimalDigits: 2 });
  const { summary } = analyzeReconciliation({
    rows: statement.rows,
    transactions,
    account: { id: 'account', type: 'checking', cleared_balance: 0 },
    statementBalance: 0,
    toleranceDays: 7,
    strictness: 'normal',
    sign: 'auto',
    hasExplicitSigns: statement.detected.has_explicit_signs,
    csvErrors: statement.errors,
    currency,
  });
  const { user, system } = process.cpuUsage(start);
  times.push((user + system) / 1000);
  if (run === 0) console.log(summary);
}
const sorted = times.toSorted((a, b) => a - b);
console.log(
  `500 rows, 5,000 transactions: first ${times[0].toFixed(0)} ms of CPU, median ${sorted[Math.floor(runs / 2)].toFixed(0)} ms, maximum ${sorted.at(-1).toFixed(0)} ms`,
);

function dayOf(date) {
  return (Date.parse(`${date}T00:00:00Z`) - Date.UTC(2026, 0, 1)) / 86_400_000;
}
