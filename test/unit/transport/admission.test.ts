import { describe, expect, test } from 'vitest';
import { Admission } from '../../../src/transport/http/gate/admission.ts';
import { admit } from '../../../src/transport/http/gate/admit.ts';
import type { Admitted } from '../../../src/transport/http/gate/admit.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const LIMITS = { maxInFlight: 3, maxInFlightPerCaller: 2, maxWaiting: 2, maxWaitMs: 1000 };
const NOBODY = undefined;
const ada = 'ada';
const bob = 'bob';

function open(limits: Partial<typeof LIMITS> = {}): { admission: Admission; clock: FakeClock } {
  const clock = new FakeClock();
  return { admission: new Admission({ ...LIMITS, ...limits }, clock), clock };
}

describe('admission', () => {
  test('lets in as many as may be answered at a time, lets some wait and refuses the rest', async () => {
    const { admission, clock } = open();
    expect([1, 2, 3].map(() => admission.enter(NOBODY))).toEqual([true, true, true]);
    const waiting = [admission.enter(NOBODY), admission.enter(NOBODY)];
    expect(admission.enter(NOBODY)).toBe(false);
    admission.leave(NOBODY);
    expect(await waiting[0]).toBe(true);
    admission.leave(NOBODY);
    expect(await waiting[1]).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('refuses who has waited for too long, and gives its place to others', async () => {
    const { admission, clock } = open({ maxInFlight: 1, maxWaiting: 1 });
    admission.enter(NOBODY);
    const waiting = admission.enter(NOBODY);
    clock.advance(1000);
    expect(await waiting).toBe(false);
    const next = admission.enter(NOBODY);
    admission.leave(NOBODY);
    expect(await next).toBe(true);
  });

  test('one caller cannot take every place, and does not hold up those who wait behind it', async () => {
    const { admission } = open();
    expect([admission.enter(ada), admission.enter(ada)]).toEqual([true, true]);
    const third = admission.enter(ada);
    expect(admission.enter(bob)).toBe(true);
    const other = admission.enter(bob);
    admission.leave(bob);
    expect(await other).toBe(true);
    admission.leave(ada);
    expect(await third).toBe(true);
  });

  test('a call that waits for its client frees its slot, and gets one back even above the limit', async () => {
    const { admission } = open({ maxInFlight: 1, maxWaiting: 1 });
    admission.enter(NOBODY);
    admission.leave(NOBODY);
    expect(admission.enter(NOBODY)).toBe(true);
    admission.resume(NOBODY);
    const waiting = admission.enter(NOBODY);
    admission.leave(NOBODY);
    admission.leave(NOBODY);
    expect(await waiting).toBe(true);
  });
});

test('a call that ends while it asks its client leaves nothing behind', () => {
  const { admission } = open({ maxInFlightPerCaller: 1, maxWaiting: 0 });
  for (let time = 0; time < 3; time += 1) {
    expect(admission.enter(ada)).toBe(true);
    // It asks, is cancelled, and then gets the cancellation of its request.
    admission.leave(ada);
    admission.leave(ada);
    admission.resume(ada);
  }
  expect([admission.enter(ada), admission.enter(ada)]).toEqual([true, false]);
});

describe('a request', () => {
  const request = (answer: Admitted['answer']): Admitted => ({ id: 7, owner: NOBODY, answer });

  test('without a free slot is rejected with the time to wait', async () => {
    const { admission } = open({ maxInFlight: 1, maxWaiting: 0 });
    admission.enter(NOBODY);
    const answer = admit(
      admission,
      request(async () => ({ text: 'never', status: 200 })),
    );
    expect(await answer).toEqual({
      status: 503,
      text: '{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server is busy. Try again later.","data":{"code":"BUSY"}}}',
    });
  });

  test('leaves when it is answered, not before', async () => {
    const { admission } = open({ maxInFlight: 1, maxWaiting: 0 });
    let answerNow = (): void => {};
    const answered = admit(
      admission,
      request(
        () =>
          new Promise((resolve) => {
            answerNow = () => resolve({ text: 'done', status: 200 });
          }),
      ),
    );
    expect(admission.enter(NOBODY)).toBe(false);
    // It was admitted, and its result is requested in the next turn.
    await Promise.resolve();
    answerNow();
    expect([await answered, admission.enter(NOBODY)]).toEqual([{ text: 'done', status: 200 }, true]);
  });
});
