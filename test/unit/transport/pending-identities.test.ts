import { expect, test } from 'vitest';
import { MemoryBudget } from '../../../src/base/memory/memory-budget.ts';
import type { HttpRequest } from '../../../src/transport/http/message/http-message.ts';
import type { Identified } from '../../../src/transport/http/gate/identify.ts';
import { PendingIdentities, TOO_MANY_PENDING } from '../../../src/transport/http/gate/pending-identities.ts';

const KB = 1024;
const ADA: Identified = { caller: { principal: { id: 'ada' } } };

/** A request with so many bytes in memory. */
class Sent {
  isPaused = false;
  readonly #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  pauseBody(): number {
    this.isPaused = true;
    return this.#bytes;
  }

  resumeBody(): void {
    this.isPaused = false;
  }
}

interface Asked {
  readonly sent: Sent;
  readonly answer: () => void;
  readonly found: Promise<Identified>;
}

function ask(pending: PendingIdentities, bytes: number): Asked {
  const sent = new Sent(bytes);
  let answer: () => void = () => {};
  const identified = new Promise<Identified>((resolve) => {
    answer = () => resolve(ADA);
  });
  return { sent, answer, found: pending.wait(sent as unknown as HttpRequest, identified) };
}

test('a body is not read while authenticate is pending, and its bytes are counted', async () => {
  const memory = new MemoryBudget(1024 * KB);
  const pending = new PendingIdentities(2, memory);
  const { sent, answer, found } = ask(pending, 10 * KB);
  await Promise.resolve();
  expect([sent.isPaused, memory.usedBytes]).toEqual([true, 10_240]);
  answer();
  expect(await found).toBe(ADA);
  expect([sent.isPaused, memory.usedBytes]).toEqual([false, 0]);
});

test('a sixteenth of the budget is kept for unidentified clients; small requests pass', async () => {
  const memory = new MemoryBudget(1024 * KB);
  const pending = new PendingIdentities(4, memory);
  const first = ask(pending, 60 * KB);
  const large = ask(pending, 5 * KB);
  const small = ask(pending, 4 * KB);
  expect(await large.found).toBe(TOO_MANY_PENDING);
  expect([large.sent.isPaused, small.sent.isPaused, memory.usedBytes]).toEqual([false, true, 65_536]);
  for (const { answer } of [first, large, small]) answer();
  expect([await first.found, await small.found]).toEqual([ADA, ADA]);
  expect(memory.usedBytes).toBe(0);
});

test('calls of authenticate count until they have settled', async () => {
  const pending = new PendingIdentities(2, new MemoryBudget(1024 * KB));
  ask(pending, 0);
  const refused = ask(pending, 100 * KB);
  expect(await refused.found).toBe(TOO_MANY_PENDING);
  expect(pending.isFull).toBe(true);
  refused.answer();
  await Promise.resolve();
  expect(pending.isFull).toBe(false);
});
