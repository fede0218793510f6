import { describe, expect, test } from 'vitest';
import { MemoryBudget } from '../../../src/base/memory/memory-budget.ts';
import { MemoryHold } from '../../../src/base/memory/memory-hold.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const MB = 1_048_576;

describe('a memory budget', () => {
  test('refuses what it has no room for, and keeps an eighth for what is small', () => {
    const memory = new MemoryBudget(8 * MB);
    expect([memory.take(7 * MB, undefined), memory.take(65_537, undefined)]).toEqual([true, false]);
    expect([memory.take(65_536, undefined), memory.usedBytes]).toEqual([true, 7 * MB + 65_536]);
    memory.give(7 * MB);
    expect([memory.take(6 * MB, undefined), memory.usedBytes]).toEqual([true, 6 * MB + 65_536]);
  });

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'refuses what is no number of bytes: %d',
    (bytes) => {
      const memory = new MemoryBudget(8 * MB);
      let sheds = 0;
      memory.onPressure('bodies', () => (sheds += 1));
      expect([memory.take(bytes, undefined), memory.accountOf('ada').take(bytes)]).toEqual([false, false]);
      expect([memory.usedBytes, sheds]).toEqual([0, 0]);
    },
  );

  test('gives each caller its share, and anonymous callers all of it', () => {
    const memory = new MemoryBudget(8 * MB);
    const ada = memory.accountOf('ada');
    expect([ada.take(2 * MB), ada.take(1), memory.accountOf('ada').take(1)]).toEqual([true, false, false]);
    expect([memory.accountOf('bob').take(2 * MB), memory.anonymous.take(3 * MB)]).toEqual([true, true]);
    ada.give(2 * MB);
    expect([memory.accountOf('ada').take(2 * MB), memory.usedBytes]).toEqual([true, 7 * MB]);
  });

  test('frees memory in its order before it refuses, and no more than is needed', () => {
    const memory = new MemoryBudget(8 * MB);
    const log: string[] = [];
    for (const what of ['responses', 'events', 'sessions', 'expired', 'bodies'] as const) {
      memory.take(MB, undefined);
      let isHeld = true;
      memory.onPressure(what, (isEnough) => {
        if (!isHeld || isEnough()) return;
        log.push(what);
        isHeld = false;
        memory.give(MB);
      });
    }
    expect([memory.take(5 * MB, undefined), log]).toEqual([true, ['expired', 'bodies', 'events']]);
    expect([memory.take(3 * MB, undefined), log]).toEqual([
      false,
      ['expired', 'bodies', 'events', 'responses', 'sessions'],
    ]);
  });

  test('an allocation that cannot be rejected evicts others', () => {
    const memory = new MemoryBudget(8 * MB);
    memory.take(6 * MB, undefined);
    memory.onPressure('events', () => memory.give(4 * MB));
    memory.add(3 * MB);
    expect(memory.usedBytes).toBe(5 * MB);
  });
});

describe('the memory of a request', () => {
  test('counts until it is answered', () => {
    const memory = new MemoryBudget(8 * MB);
    const hold = MemoryHold.take(memory.anonymous, MB, new FakeClock());
    expect(memory.usedBytes).toBe(MB);
    expect([hold?.grow(MB), memory.usedBytes, hold?.grow(9 * MB)]).toEqual([true, 2 * MB, false]);
    hold?.shrinkTo(100);
    expect(memory.usedBytes).toBe(100);
    hold?.release();
    expect(memory.usedBytes).toBe(0);
    expect(MemoryHold.take(memory.anonymous, 9 * MB, new FakeClock())).toBeUndefined();
  });

  test('counts until the handler has settled, which may be later', async () => {
    const memory = new MemoryBudget(8 * MB);
    const clock = new FakeClock();
    const hold = MemoryHold.take(memory.anonymous, MB, clock);
    let settle: () => void = () => {};
    const work = new Promise<void>((resolve) => {
      settle = resolve;
    });
    hold?.follow(work);
    hold?.release();
    expect(memory.usedBytes).toBe(MB);
    settle();
    await work;
    expect([memory.usedBytes, clock.pending]).toEqual([0, 0]);
  });

  test('does not count for ever where a handler never settles', () => {
    const memory = new MemoryBudget(8 * MB);
    const clock = new FakeClock();
    const hold = MemoryHold.take(memory.anonymous, MB, clock);
    hold?.follow(new Promise(() => {}));
    hold?.release();
    clock.advance(599_999);
    expect(memory.usedBytes).toBe(MB);
    clock.advance(1);
    expect(memory.usedBytes).toBe(0);
  });
});
