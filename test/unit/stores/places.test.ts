import { expect, test } from 'vitest';
import { Places } from '../../../src/base/places.ts';

const ada = { owner: 'ada', isAnonymous: false };
const nobody = { owner: 'nobody', isAnonymous: true };

test('places are limited in all and for one owner; nobody in particular counts only in all', () => {
  const places = new Places(4, 2);
  const take = (who: typeof ada): boolean => places.take(who) !== undefined;
  expect([take(ada), take(ada), take(ada)]).toEqual([true, true, false]);
  expect([take(nobody), take(nobody), take(nobody)]).toEqual([true, true, false]);
});

test('a place that is given back is free, and giving it back twice frees no other', () => {
  const places = new Places(2, 2);
  const giveBack = places.take(ada);
  places.take(ada);
  giveBack?.();
  giveBack?.();
  expect([places.take(ada) !== undefined, places.take(ada) !== undefined]).toEqual([true, false]);
});
