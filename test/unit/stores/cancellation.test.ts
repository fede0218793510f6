import { describe, expect, test } from 'vitest';
import { Cancellation } from '../../../src/base/time/cancellation.ts';

describe('a cancellation', () => {
  test('notifies every listener once, with the reason', () => {
    const cancellation = new Cancellation();
    const heard: string[] = [];
    cancellation.onCancel(() => heard.push('first'));
    cancellation.onCancel(() => heard.push('second'));
    expect(cancellation.isCancelled).toBe(false);
    cancellation.cancel('enough');
    cancellation.cancel('again');
    expect([heard, cancellation.isCancelled, cancellation.reason]).toEqual([
      ['first', 'second'],
      true,
      'enough',
    ]);
  });

  test('tells who comes too late at once, and who has left not at all', () => {
    const cancellation = new Cancellation();
    const heard: string[] = [];
    const leaver = (): unknown => heard.push('leaver');
    cancellation.onCancel(leaver);
    cancellation.onCancel(() => heard.push('stayer'));
    cancellation.offCancel(leaver);
    cancellation.cancel(undefined);
    cancellation.onCancel(() => heard.push('late'));
    expect(heard).toEqual(['stayer', 'late']);
  });

  test('removes only the listener that was unregistered', () => {
    const cancellation = new Cancellation();
    const heard: string[] = [];
    cancellation.onCancel(() => heard.push('stayer'));
    cancellation.offCancel(() => heard.push('stranger'));
    cancellation.cancel(undefined);
    expect(heard).toEqual(['stayer']);
  });
});
