import { expect, it } from 'vitest';
import { inTurn } from '../../../src/wire/sessions/in-turn.ts';

it('lets others have their turn between entries that never wait', async () => {
  const seen: string[] = [];
  const others = (): void => {
    if (seen.length >= 20) return;
    seen.push('others');
    setImmediate(others);
  };
  setImmediate(others);
  const results = await inTurn(['a', 'b', 'c'], 8, async (entry) => {
    await Promise.resolve();
    seen.push(entry);
    return entry.toUpperCase();
  });
  expect(results).toEqual(['A', 'B', 'C']);
  expect(seen.slice(0, 5)).toEqual(['a', 'others', 'b', 'others', 'c']);
});

it('has no more than so many of them unfinished', async () => {
  let running = 0;
  let most = 0;
  await inTurn([1, 2, 3, 4, 5], 2, async () => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  });
  expect(most).toBe(2);
});
