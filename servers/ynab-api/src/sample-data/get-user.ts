import { findUser } from '../plans/user.ts';
import type { User } from '../plans/user.ts';
import { createUser } from './create-user.ts';
import type { SampleMoment } from './create-user.ts';

/** The user of a token, created with sample budgets on first use. */
export function getUser(moment: SampleMoment, digest: string): User {
  const known = findUser(moment.database, digest);
  if (known !== undefined) return known;
  // Another process may have created the user since.
  return moment.database.write(() => findUser(moment.database, digest) ?? createUser(moment, digest));
}
