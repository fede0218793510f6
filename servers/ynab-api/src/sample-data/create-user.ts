import type { Database } from '../database/database.ts';
import { addMonths, toMonth } from '../dates/dates.ts';
import { settle } from '../months/settle.ts';
import { getPlan } from '../plans/plan.ts';
import type { Plan } from '../plans/plan.ts';
import type { User } from '../plans/user.ts';
import { assignMonths } from './assign-months.ts';
import { createBook } from './book.ts';
import type { Book } from './book.ts';
import { enterHabits } from './enter-habits.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { SAMPLE_PLANS } from './scale.ts';
import type { SamplePlan } from './scale.ts';
import { enterScheduled } from './scheduled.ts';

export interface SampleMoment {
  readonly database: Database;
  readonly now: number;
  readonly today: string;
  readonly seed: number;
}

/** Creates a user with two plans of two years each. Runs in a transaction. */
export function createUser(moment: SampleMoment, digest: string): User {
  const { database, seed } = moment;
  const random = createRandom(`${seed} ${digest}`);
  const user = { id: random.uuid(), token_digest: digest, default_plan_id: null, last_plan_id: null };
  database.insert('users', user);
  const ids = SAMPLE_PLANS.map((sample) => createPlan(moment, { user, sample, random }));
  const [first = null] = ids;
  database.update('users', user.id, { default_plan_id: first, last_plan_id: first });
  return { id: user.id, default_plan_id: first, last_plan_id: first };
}

interface Wanted {
  readonly user: User;
  readonly sample: SamplePlan;
  readonly random: Random;
}

function createPlan(moment: SampleMoment, { user, sample, random }: Wanted): string {
  const { database, today, now } = moment;
  const id = random.uuid();
  database.insert('plans', {
    id,
    user_id: user.id,
    name: sample.name,
    date_format: JSON.stringify({ format: sample.dateFormat }),
    currency_format: JSON.stringify(sample.currency),
    knowledge: 1,
    modified_at: new Date(now).toISOString(),
    settled_on: today,
  });
  const plan: Plan = getPlan(database, user, id);
  const first = toMonth(addMonths(today, -24));
  const book: Book = createBook({
    database,
    plan,
    today,
    newId: () => random.uuid(),
    user,
    sample,
    random,
    first,
  });
  enterHabits(book);
  enterScheduled(book);
  assignMonths(book);
  settle({ database, plan, today });
  return id;
}
