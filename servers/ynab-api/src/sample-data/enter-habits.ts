import { addDays, addMonths } from '../dates/dates.ts';
import type { Book } from './book.ts';
import { enterEntry } from './enter-entry.ts';
import type { Entry } from './enter-entry.ts';
import { listHabitDates } from './habit-dates.ts';
import { HABITS } from './habits.ts';
import { toMilliunits } from './scale.ts';

/** The transactions that follow from the habits, by date. */
function listEntries({ first, today, random, sample }: Book): Entry[] {
  const habits = HABITS.filter(([plans]) => plans === 'both' || plans === (sample.small ? 'small' : 'large'));
  const entries = habits.flatMap(([, accounts, category, rhythm, [min, max], ...payees]) => {
    const [account, to] = typeof accounts === 'string' ? [accounts] : accounts;
    return listHabitDates(rhythm, { first, last: today }, random).map((date): Entry => {
      const cents = min === max ? min * 100 : random.integer(min * 100, max * 100);
      return { date, account, to, category, payee: random.pick(payees), amount: toMilliunits(cents, sample) };
    });
  });
  return entries.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** Enters two years of transactions, with the monthly payments of the card and the end of the old account. */
export function enterHabits(book: Book): void {
  const { first, sample } = book;
  const transfer = { category: null, payee: '' };
  const closing = { date: addDays(first, 45), amount: -toMilliunits(90_000, sample) };
  let card = toMilliunits(-64_000, sample);
  let payDay = addMonths(first, 0, 25);
  for (const entry of listEntries(book)) {
    while (payDay < entry.date) {
      enterEntry(book, { ...transfer, date: payDay, account: 'checking', to: 'card', amount: card });
      card = 0;
      payDay = addMonths(payDay, 1);
    }
    enterEntry(book, entry);
    if (entry.account === 'card') card += entry.amount;
  }
  enterEntry(book, { ...transfer, ...closing, account: 'old', to: 'checking' });
}
