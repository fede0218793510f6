import { expect, test } from 'vitest';
import { FakeClock } from '../../support/fake-clock.ts';
import { MemoryBudget } from '../../../src/base/memory/memory-budget.ts';
import { UnreadResponses } from '../../../src/transport/http/faces/unread-responses.ts';

const MB = 1_048_576;

test('a cut response counts until its connection has ended, and no more responses are cut than needed', () => {
  const memory = new MemoryBudget(8 * MB);
  const clock = new FakeClock();
  const unread = new UnreadResponses(memory, clock);
  const cut: string[] = [];
  const open = (name: string, bytes: number): { set(bytes: number): boolean } => {
    const response = unread.open(memory.anonymous, () => cut.push(name));
    expect(response.set(bytes)).toBe(true);
    return response;
  };
  const oldest = open('oldest', 4 * MB);
  open('second', 2 * MB);
  const next = unread.open(memory.anonymous, () => cut.push('next'));
  // The clients had no time to read yet.
  expect([next.set(3 * MB), cut]).toEqual([false, []]);
  clock.advance(1000);
  expect([next.set(3 * MB), cut, memory.usedBytes]).toEqual([false, ['oldest'], 6 * MB]);
  // Still being sent, so no other response is cut for it.
  expect([next.set(3 * MB), cut]).toEqual([false, ['oldest']]);
  oldest.set(0);
  expect([next.set(3 * MB), cut, memory.usedBytes]).toEqual([true, ['oldest'], 5 * MB]);
});
