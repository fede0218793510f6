import { daysBetween, toMonth } from '../dates/dates.ts';

/** Money that enters or leaves the cash accounts, in the order of time. */
export interface CashFlow {
  readonly date: string;
  readonly amount: number;
}

const COUNTED = 10;

/** The Age of Money at the end of each month that has an outflow: the average age of the money of the last ten outflows, oldest money spent first. */
export function computeAges(flows: readonly CashFlow[]): Map<string, number> {
  const incomes: { date: string; left: number }[] = [];
  let next = 0;
  const ages: number[] = [];
  const months = new Map<string, number>();
  for (const { date, amount } of flows) {
    if (amount >= 0) {
      incomes.push({ date, left: amount });
      continue;
    }
    let missing = -amount;
    let weighted = 0;
    for (let income = incomes[next]; missing > 0 && income !== undefined; income = incomes[next]) {
      const taken = Math.min(missing, income.left);
      weighted += taken * daysBetween(income.date, date);
      income.left -= taken;
      missing -= taken;
      if (income.left === 0) next += 1;
    }
    ages.push(weighted / -amount);
    if (ages.length > COUNTED) ages.shift();
    months.set(toMonth(date), Math.round(ages.reduce((sum, age) => sum + age, 0) / ages.length));
  }
  return months;
}
