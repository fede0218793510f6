import { describe, expect, test } from 'vitest';
import { Turns } from '../../../src/stores/turns.ts';

describe('turns', () => {
  test('so many at a time; the others in the order they came', () => {
    const turns = new Turns(2);
    const begun: string[] = [];
    const [a, b, c] = ['a', 'b', 'c', 'd'].map((name) => turns.take(() => begun.push(name)));
    expect(begun).toEqual(['a', 'b']);
    b?.();
    expect(begun).toEqual(['a', 'b', 'c']);
    b?.();
    expect(begun).toEqual(['a', 'b', 'c']);
    a?.();
    c?.();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  test('who leaves the queue gets no turn and takes none from others', () => {
    const turns = new Turns(1);
    const begun: string[] = [];
    const first = turns.take(() => begun.push('first'));
    const leaver = turns.take(() => begun.push('leaver'));
    turns.take(() => begun.push('last'));
    leaver();
    first();
    expect(begun).toEqual(['first', 'last']);
  });
});
