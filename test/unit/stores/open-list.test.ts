import { expect, test } from 'vitest';
import { OpenItem, OpenList } from '../../../src/base/open-list.ts';

class Named extends OpenItem {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }
}

const namesOf = (list: OpenList<Named>): string[] => list.all().map(({ name }) => name);

test('keeps the order in which things were opened, whichever is closed', () => {
  const list = new OpenList<Named>();
  const [a, b, c] = [new Named('a'), new Named('b'), new Named('c')];
  for (const each of [a, b, c]) list.add(each);
  expect(namesOf(list)).toEqual(['a', 'b', 'c']);
  list.remove(b);
  expect(namesOf(list)).toEqual(['a', 'c']);
  list.remove(a);
  list.remove(c);
  expect([namesOf(list), list.isEmpty]).toEqual([[], true]);
  list.add(b);
  expect([namesOf(list), list.isEmpty]).toEqual([['b'], false]);
});

test('an entry is removed once, and keeps no references', () => {
  const list = new OpenList<Named>();
  const [a, b] = [new Named('a'), new Named('b')];
  list.add(a);
  list.add(b);
  list.remove(a);
  list.remove(a);
  expect([a.previous, a.next, namesOf(list)]).toEqual([undefined, undefined, ['b']]);
});

test('may be changed while it is gone through', () => {
  const list = new OpenList<Named>();
  for (const name of ['a', 'b', 'c']) list.add(new Named(name));
  for (const each of list.all()) list.remove(each);
  expect(list.isEmpty).toBe(true);
});
