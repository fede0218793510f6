import { expect, test } from 'vitest';
import { ReadTurns } from '../../../src/resources/files/read-turns.ts';

test('four files are read at a time, in order; cancelled reads are skipped', async () => {
  const turns = new ReadTurns();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const gone = new AbortController();
  const read = (index: number, signal = new AbortController().signal): Promise<number> =>
    turns.run(signal, async () => {
      begun.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
      return index;
    });
  const reading = [0, 1, 2, 3, 4].map((index) => read(index));
  const cancelled = expect(read(5, gone.signal)).rejects.toThrow('gone');
  const last = read(6);
  expect(begun).toEqual([0, 1, 2, 3]);
  gone.abort(new Error('gone'));
  for (let turn = 0; turn < 6; turn += 1) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all([...reading, last])).toEqual([0, 1, 2, 3, 4, 6]);
  await cancelled;
  expect(begun).toEqual([0, 1, 2, 3, 4, 6]);
});
