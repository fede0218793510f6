import { describe, expect, test } from 'vitest';
import { createError } from '../../../../src/format/tool-response.ts';
import { timing } from '../../../../src/middleware/builtin/timing.ts';
import type { TimedCall } from '../../../../src/middleware/builtin/timing.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { chainOf, settle, subjectOf, TestContext } from './harness.ts';

describe('timing', () => {
  test('every call is reported with its duration and outcome', async () => {
    const clock = new FakeClock();
    const timed: TimedCall[] = [];
    const subject = subjectOf();
    const middleware = [timing({ onTimed: (call) => void timed.push(call), clock })];
    const context = new TestContext({ principal: { id: 'ada' } });
    await chainOf(() => (clock.advance(5), 1), middleware, subject)({}, context);
    await chainOf(() => createError({ message: 'No.', suggestions: [] }), middleware, subject)();
    const throwing = chainOf(
      () => (clock.advance(9), Promise.reject(new Error('broken'))),
      middleware,
      subject,
    );
    await expect(throwing()).rejects.toThrow('broken');
    expect(timed).toEqual([
      { subject, principal: { id: 'ada' }, durationMs: 5, outcome: 'ok' },
      { subject, principal: undefined, durationMs: 0, outcome: 'error' },
      { subject, principal: undefined, durationMs: 9, outcome: 'thrown' },
    ]);
  });

  test.each([
    ['throws', () => expect.fail('meter')],
    ['rejects', () => Promise.reject(new Error('meter'))],
  ])('an onTimed that %s never fails the call, and is logged', async (_, onTimed) => {
    const context = new TestContext();
    expect(await chainOf(() => 'fine', [timing({ onTimed })])({}, context)).toBe('fine');
    await settle();
    expect(context.logged.map(({ level, message }) => [level, message])).toEqual([
      ['warning', 'onTimed failed'],
    ]);
  });

  test('the call does not wait for an onTimed that never ends', async () => {
    expect(await chainOf(() => 'fine', [timing({ onTimed: () => new Promise(() => {}) })])()).toBe('fine');
  });
});
