import { addDays, addMonths } from '../dates/dates.ts';
import type { Frequency } from '../scheduled/next-date.ts';
import type { Book } from './book.ts';
import type { AccountKey } from './household.ts';
import { toMilliunits } from './scale.ts';

interface Planned {
  readonly payee: string;
  readonly category?: string;
  readonly to?: AccountKey;
  readonly frequency: Frequency;
  /** Days from today, or the day of the next month. */
  readonly inDays?: number;
  readonly day?: number;
  readonly amount: number;
}

const PLANNED: readonly Planned[] = [
  { payee: 'Northwind Payroll', category: 'Inflow', frequency: 'everyOtherWeek', inDays: 9, amount: 2630 },
  { payee: 'Maple Street Apartments', category: 'Rent', frequency: 'monthly', day: 1, amount: -1650 },
  { payee: 'Mobile One', category: 'Phone', frequency: 'every4Weeks', inDays: 17, amount: -45 },
  { payee: 'Pocket Money', category: 'Childcare', frequency: 'weekly', inDays: 4, amount: -10 },
  {
    payee: 'Window Cleaner',
    category: 'Home Maintenance',
    frequency: 'everyOtherMonth',
    inDays: 33,
    amount: -45,
  },
  { payee: 'Road Assurance', category: 'Car Insurance', frequency: 'twiceAYear', inDays: 80, amount: -330 },
  { payee: 'City Tax Office', category: 'Taxes', frequency: 'every3Months', inDays: 41, amount: -210 },
  { payee: 'The Daily Paper', category: 'News', frequency: 'yearly', inDays: 120, amount: -99 },
  { payee: 'Music School', category: 'Hobbies', frequency: 'twiceAMonth', day: 7, amount: -35 },
  { payee: 'Grand Hotel', category: 'Vacation', frequency: 'never', inDays: 150, amount: -780 },
  { payee: 'Transfer : Rainy Day Savings', to: 'savings', frequency: 'monthly', day: 2, amount: -400 },
];

const LOCATIONS = [
  ['Green Grocer', '40.7410', '-73.9896'],
  ['Corner Market', '40.7433', '-73.9860'],
  ['Fuel Stop', '40.7527', '-74.0022'],
  ['City Cinema', '40.7590', '-73.9845'],
] as const;

const AVAILABLE = [
  ['Corner Market', -3412],
  ['Fuel Stop', -4860],
  ['StreamBox', -1600],
] as const;

/** Adds scheduled transactions, one of them split; locations of payees; and transactions that wait at the bank. */
export function enterScheduled(book: Book): void {
  const { database, plan, today, sample } = book;
  for (const planned of PLANNED) enterPlanned(book, planned);
  const [phone, internet] = [toMilliunits(-4500, sample), toMilliunits(-6500, sample)];
  const bundle = enterPlanned(book, { payee: 'FiberNet', frequency: 'monthly', day: 20, amount: -110 });
  for (const [category, amount] of [
    ['Phone', phone],
    ['Internet', internet],
  ] as const)
    database.insert('scheduled_subtransactions', {
      id: book.newId(),
      plan_id: plan.id,
      scheduled_transaction_id: bundle,
      amount,
      category_id: book.category(category),
    });
  for (const [payee, latitude, longitude] of LOCATIONS)
    database.insert('payee_locations', {
      id: book.newId(),
      plan_id: plan.id,
      payee_id: book.payee(payee),
      latitude,
      longitude,
      knowledge: plan.knowledge,
    });
  for (const [index, [payee_name, cents]] of AVAILABLE.entries())
    database.insert('available_imports', {
      id: book.newId(),
      plan_id: plan.id,
      account_id: book.account('card'),
      date: addDays(today, -index),
      amount: toMilliunits(cents, sample),
      payee_name,
    });
}

function enterPlanned(book: Book, planned: Planned): string {
  const { database, plan, today } = book;
  const date =
    planned.inDays === undefined ? addMonths(today, 1, planned.day) : addDays(today, planned.inDays);
  const id = book.newId();
  database.insert('scheduled_transactions', {
    id,
    plan_id: plan.id,
    account_id: book.account('checking'),
    date_first: date,
    date_next: date,
    frequency: planned.frequency,
    amount: toMilliunits(planned.amount * 100, book.sample),
    payee_id: book.payee(planned.payee),
    category_id: planned.category === undefined ? null : book.category(planned.category),
    transfer_account_id: planned.to === undefined ? null : book.account(planned.to),
    knowledge: plan.knowledge,
  });
  return id;
}
