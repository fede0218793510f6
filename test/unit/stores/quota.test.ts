import { expect, test } from 'vitest';
import { Quota } from '../../../src/base/quota.ts';

const ada = { owner: 'ada', isAnonymous: false };
const nobody = { owner: 'nobody', isAnonymous: true };

test('a quota is limited in total and for one owner; anonymous callers count only in total', () => {
  const quota = new Quota(4, 2);
  const take = (who: typeof ada): boolean => quota.take(who) !== undefined;
  expect([take(ada), take(ada), take(ada)]).toEqual([true, true, false]);
  expect([take(nobody), take(nobody), take(nobody)]).toEqual([true, true, false]);
});

test('a use that is given back is free, and giving it back twice frees no other', () => {
  const quota = new Quota(2, 2);
  const giveBack = quota.take(ada);
  quota.take(ada);
  giveBack?.();
  giveBack?.();
  expect([quota.take(ada) !== undefined, quota.take(ada) !== undefined]).toEqual([true, false]);
});
