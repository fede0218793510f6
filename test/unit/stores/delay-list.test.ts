import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/stores/clock.ts';
import { DelayList } from '../../../src/stores/delay-list.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a list of what waits for the same delay', () => {
  test('calls back each after its own delay, in order, behind one timer', () => {
    const called: string[] = [];
    const list = new DelayList(100, () => called.push('empty'));
    list.add(() => called.push('first'));
    vi.advanceTimersByTime(60);
    list.add(() => called.push('second'));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(40);
    expect(called).toEqual(['first']);
    vi.advanceTimersByTime(59);
    expect(called).toEqual(['first']);
    vi.advanceTimersByTime(1);
    expect(called).toEqual(['first', 'second', 'empty']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('forgets what was taken back, wherever it stands, and only once', () => {
    const called: string[] = [];
    const list = new DelayList(100, () => called.push('empty'));
    const takeBack = ['a', 'b', 'c', 'd'].map((name) => list.add(() => called.push(name)));
    takeBack[0]?.();
    takeBack[2]?.();
    takeBack[2]?.();
    takeBack[3]?.();
    list.add(() => called.push('e'));
    vi.advanceTimersByTime(100);
    expect(called).toEqual(['b', 'e', 'empty']);
  });

  test('takes in who comes while others are called back', () => {
    const called: string[] = [];
    const list = new DelayList(100, () => called.push('empty'));
    list.add(() => {
      called.push('first');
      list.add(() => called.push('again'));
    });
    vi.advanceTimersByTime(100);
    expect(called).toEqual(['first']);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(100);
    expect(called).toEqual(['first', 'again', 'empty']);
  });

  test('goes on after one that throws', () => {
    const called: string[] = [];
    const list = new DelayList(100, () => {});
    list.add(() => {
      throw new Error('broken');
    });
    list.add(() => called.push('second'));
    expect(() => vi.advanceTimersByTime(100)).toThrow('broken');
    vi.advanceTimersByTime(1);
    expect(called).toEqual(['second']);
  });

  test('keeps a process alive only while somebody waits', () => {
    vi.useRealTimers();
    const refed = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = refed();
    const list = new DelayList(60_000, () => {});
    const takeBack = list.add(() => {});
    expect(refed()).toBe(before + 1);
    takeBack();
    expect(refed()).toBe(before);
    const takeBackAgain = list.add(() => {});
    expect(refed()).toBe(before + 1);
    takeBackAgain();
    expect(refed()).toBe(before);
  });
});

describe('the real time', () => {
  test('survives a test that puts other timers in place and takes them away again', () => {
    const called: string[] = [];
    systemClock.schedule(() => called.push('of the test'), 50);
    vi.useRealTimers();
    vi.useFakeTimers();
    systemClock.schedule(() => called.push('after it'), 50);
    vi.advanceTimersByTime(50);
    expect(called).toEqual(['after it']);
  });

  test('knows any number of delays', () => {
    const called: number[] = [];
    for (let delay = 1; delay <= 100; delay += 1) systemClock.schedule(() => called.push(delay), delay);
    vi.advanceTimersByTime(100);
    expect(called).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });
});
