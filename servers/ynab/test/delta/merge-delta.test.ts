import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byGroup, byId, byMonth, bySplit } from '../../src/delta/delta-shapes.ts';
import { isContinuous, mergeDelta } from '../../src/delta/merge-delta.ts';

const live = { deleted: false };
const gone = { deleted: true };

describe('merging of deltas', () => {
  test('changed entities keep their place, new ones come last, deleted ones leave', () => {
    const known = {
      server_knowledge: 5,
      entities: [
        { id: 'a', name: 'A', ...live },
        { id: 'b', name: 'B', ...live },
        { id: 'c', name: 'C', ...live },
      ],
    };
    const delta = {
      server_knowledge: 9,
      entities: [
        { id: 'd', name: 'D', ...live },
        { id: 'b', name: 'New', ...live },
        { id: 'a', name: 'A', ...gone },
        { id: 'x', name: 'X', ...gone },
      ],
    };
    const before = structuredClone(known);
    expect(mergeDelta(known, delta, byId())).toEqual({
      server_knowledge: 9,
      entities: [
        { id: 'b', name: 'New', ...live },
        { id: 'c', name: 'C', ...live },
        { id: 'd', name: 'D', ...live },
      ],
    });
    expect(known).toEqual(before);
  });

  test('months are merged by month', () => {
    const known = { server_knowledge: 1, entities: [{ month: '2026-10-01', note: '', ...live }] };
    const entities = [
      { month: '2026-10-01', note: 'x', ...live },
      { month: '2026-11-01', note: '', ...live },
    ];
    expect(mergeDelta(known, { server_knowledge: 2, entities }, byMonth())).toEqual({
      server_knowledge: 2,
      entities,
    });
  });

  const split = {
    id: 't',
    amount: -30,
    ...live,
    subtransactions: [
      { id: 'p', amount: -10, ...live },
      { id: 'q', amount: -20, ...live },
    ],
  };
  const knownSplit = { server_knowledge: 1, entities: [split] };
  const mergeSplit = (amount: number, subtransactions: typeof split.subtransactions): unknown =>
    mergeDelta(
      knownSplit,
      { server_knowledge: 2, entities: [{ ...split, amount, subtransactions }] },
      bySplit<(typeof split.subtransactions)[number], typeof split>(),
    );

  test('parts of a split are merged by id, deleted parts leave', () => {
    expect(
      mergeSplit(-35, [
        { id: 'p', amount: -10, ...gone },
        { id: 'r', amount: -15, ...live },
      ]),
    ).toEqual({
      server_knowledge: 2,
      entities: [
        {
          id: 't',
          amount: -35,
          ...live,
          subtransactions: [
            { id: 'q', amount: -20, ...live },
            { id: 'r', amount: -15, ...live },
          ],
        },
      ],
    });
  });

  test('a new split has no deleted parts', () => {
    const entities = [
      { ...split, id: 'u', subtransactions: [...split.subtransactions, { id: 'r', amount: -1, ...gone }] },
    ];
    const delta = { server_knowledge: 2, entities };
    const shape = bySplit<(typeof split.subtransactions)[number], typeof split>();
    expect(mergeDelta({ server_knowledge: 1, entities: [] }, delta, shape)).toEqual({
      server_knowledge: 2,
      entities: [{ ...split, id: 'u' }],
    });
  });

  test('parts that do not add up to their transaction are reloaded', () => {
    expect(mergeSplit(-35, [{ id: 'r', amount: -15, ...live }])).toBe('reload');
  });

  test('a category that moved to another group leaves the earlier one', () => {
    const known = {
      server_knowledge: 1,
      entities: [
        {
          id: 'g',
          ...live,
          categories: [
            { id: 'x', ...live },
            { id: 'y', ...live },
          ],
        },
        { id: 'h', ...live, categories: [{ id: 'z', ...live }] },
      ],
    };
    const delta = {
      server_knowledge: 2,
      entities: [{ id: 'h', ...live, categories: [{ id: 'x', ...live }] }],
    };
    expect(
      mergeDelta(known, delta, byGroup<{ id: string; deleted: boolean }, (typeof known.entities)[number]>()),
    ).toEqual({
      server_knowledge: 2,
      entities: [
        { id: 'g', ...live, categories: [{ id: 'y', ...live }] },
        {
          id: 'h',
          ...live,
          categories: [
            { id: 'z', ...live },
            { id: 'x', ...live },
          ],
        },
      ],
    });
  });

  test.each([
    [5, 6, true],
    [5, 5, true],
    [5, 4, false],
    [5, Number.NaN, false],
    [5, 6.5, false],
    [0, 0, true],
  ])('after knowledge %s, a delta with %s continues: %s', (known, knowledge, expected) => {
    expect(isContinuous(known, { server_knowledge: knowledge })).toBe(expected);
    const merged = mergeDelta(
      { server_knowledge: known, entities: [] },
      { server_knowledge: knowledge, entities: [] },
      byId(),
    );
    expect(merged).toEqual(expected ? { server_knowledge: knowledge, entities: [] } : 'reload');
  });

  test('an entity without an id is reloaded', () => {
    const delta = { server_knowledge: 2, entities: [{ id: '', ...live }] };
    expect(mergeDelta({ server_knowledge: 1, entities: [] }, delta, byId())).toBe('reload');
  });
});

interface Category {
  readonly id: string;
  readonly name: string;
  readonly deleted: boolean;
}

interface Group extends Category {
  readonly categories: readonly Category[];
}

/** A server that numbers its changes. Deleted entities stay, so that deltas can list them. */
class History {
  knowledge = 0;
  readonly #groups = new Map<string, { name: string; deleted: boolean; changed: number }>();
  readonly #categories = new Map<
    string,
    { name: string; deleted: boolean; changed: number; group: string }
  >();

  saveGroup(id: string, name: string, deleted: boolean): void {
    this.knowledge += 1;
    this.#groups.set(id, { name, deleted, changed: this.knowledge });
    if (!deleted) return;
    for (const category of this.#categories.values()) {
      if (category.group === id) Object.assign(category, { deleted, changed: this.knowledge });
    }
  }

  saveCategory(id: string, group: string, more: { name: string; deleted: boolean }): void {
    if (this.#groups.get(group)?.deleted !== false) return;
    this.knowledge += 1;
    this.#categories.set(id, { ...more, changed: this.knowledge, group });
  }

  /** The live entities, or with `since` what changed after it; with `whole`, changed groups with all their categories. */
  list(since?: number, whole = false): { entities: Group[]; server_knowledge: number } {
    const isNew = (changed: number): boolean => since === undefined || changed > since;
    const isListed = ({ deleted }: { deleted: boolean }): boolean => since !== undefined || !deleted;
    const entities = [...this.#groups].flatMap(([id, { changed, ...group }]) => {
      const own = [...this.#categories].filter(([, category]) => category.group === id && isListed(category));
      const news = own.filter(([, category]) => isNew(category.changed));
      if (!isListed(group) || (!isNew(changed) && news.length === 0)) return [];
      const categories = (whole ? own : news).map(([key, { name, deleted }]) => ({ id: key, name, deleted }));
      return [{ id, ...group, categories }];
    });
    return { entities, server_knowledge: this.knowledge };
  }
}

const changes = fc.array(
  fc.record({
    kind: fc.constantFrom('group', 'category', 'category'),
    id: fc.constantFrom('1', '2', '3', '4', '5'),
    group: fc.constantFrom('1', '2', '3'),
    name: fc.constantFrom('A', 'B', 'C'),
    deleted: fc.boolean(),
  }),
  { maxLength: 25 },
);

function sorted(groups: readonly Group[]): Group[] {
  const compare = (one: Category, other: Category): number => Number(one.id) - Number(other.id);
  return groups
    .map((group) => ({ ...group, categories: group.categories.toSorted(compare) }))
    .toSorted(compare);
}

test('an earlier list merged with its delta is the current list', () => {
  fc.assert(
    fc.property(changes, changes, fc.boolean(), (earlier, later, whole) => {
      const history = new History();
      const apply = (all: typeof earlier): void => {
        for (const { kind, id, group, name, deleted } of all) {
          if (kind === 'group') history.saveGroup(group, name, deleted);
          else history.saveCategory(id, group, { name, deleted });
        }
      };
      apply(earlier);
      const known = history.list();
      apply(later);
      const merged = mergeDelta(
        known,
        history.list(known.server_knowledge, whole),
        byGroup<Category, Group>(),
      );
      if (merged === 'reload') throw new Error('The delta was not merged.');
      const current = history.list();
      expect(merged.server_knowledge).toBe(current.server_knowledge);
      expect(sorted(merged.entities)).toEqual(sorted(current.entities));
      const before = known.entities.map(({ id }) => id);
      const kept = merged.entities.map(({ id }) => id).filter((id) => before.includes(id));
      expect(kept).toEqual(before.filter((id) => kept.includes(id)));
    }),
    { numRuns: 500 },
  );
});
