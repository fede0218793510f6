import { describe, expect, test } from 'vitest';
import { exclusive } from '../../../../src/middleware/builtin/exclusive.ts';
import { chainOf, deferred, settle, subjectOf, TestContext } from './harness.ts';

const DESTRUCTIVE = subjectOf({ isDestructive: true });

describe('exclusive', () => {
  test('destructive calls of one tool run one after the other', async () => {
    const works = [deferred(), deferred()];
    const started: unknown[] = [];
    const chain = chainOf(
      ({ input }) => (started.push(input), works[input as number]?.promise),
      [exclusive()],
      DESTRUCTIVE,
    );
    const calls = [chain(0), chain(1)];
    await settle();
    expect(started).toEqual([0]);
    works[0]?.resolve('first');
    await settle();
    works[1]?.resolve('second');
    expect(await Promise.all(calls)).toEqual(['first', 'second']);
  });

  // In a peer's mutex, cancelling the waiting call released the third one too early.
  test('cancelling a waiting call starts no other while one is running', async () => {
    let inside = 0;
    let most = 0;
    const works = [deferred(), deferred(), deferred()];
    const chain = chainOf(
      async ({ input }) => {
        inside += 1;
        most = Math.max(most, inside);
        await works[input as number]?.promise;
        inside -= 1;
        return input;
      },
      [exclusive()],
      DESTRUCTIVE,
    );
    const context = new TestContext();
    const first = chain(0);
    const second = chain(1, context);
    const third = chain(2);
    await settle();
    context.stop(undefined);
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    await settle();
    expect(inside).toBe(1);
    works[0]?.resolve(undefined);
    expect(await first).toBe(0);
    await settle();
    expect(inside).toBe(1);
    works[2]?.resolve(undefined);
    expect(await third).toBe(2);
    expect(most).toBe(1);
  });

  test('others pass while a destructive one runs', async () => {
    const middleware = [exclusive()];
    const never = chainOf(() => new Promise(() => {}), middleware, DESTRUCTIVE);
    void never();
    expect(await chainOf(() => 'read', middleware, subjectOf({ isReadOnly: true }))()).toBe('read');
    expect(await chainOf(() => 'written', middleware, subjectOf())()).toBe('written');
  });

  test('the actions of one tool exclude each other, other tools do not', async () => {
    const middleware = [exclusive({ maxWaiting: 0 })];
    const of = (name: string, tool: string): ReturnType<typeof chainOf> =>
      chainOf(() => new Promise(() => {}), middleware, subjectOf({ name, tool, isDestructive: true }));
    void of('users.delete', 'users')();
    await expect(of('users.purge', 'users')()).rejects.toMatchObject({ code: 'BUSY' });
    expect(
      await chainOf(() => 'other', middleware, subjectOf({ tool: 'files', isDestructive: true }))(),
    ).toBe('other');
  });

  test('a key of one’s own says what excludes each other', async () => {
    const by = ({ input }: { input: unknown }): string => String(input);
    const chain = chainOf(() => new Promise(() => {}), [exclusive({ by, maxWaiting: 0 })], DESTRUCTIVE);
    void chain('a');
    void chain('b');
    await expect(chain('a')).rejects.toMatchObject({ code: 'BUSY' });
  });
});
