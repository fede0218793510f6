import { beforeEach, describe, expect, test } from 'vitest';
import { CallRefusedError } from '../../../../src/errors/errors.ts';
import { createError, createSuccess } from '../../../../src/format/tool-response.ts';
import { resultCache } from '../../../../src/middleware/builtin/result-cache.ts';
import { timeout } from '../../../../src/middleware/builtin/timeout.ts';
import type { PolicySubject } from '../../../../src/middleware/context.ts';
import { MemoryCacheStore } from '../../../../src/stores/cache-store.ts';
import type { CacheStore } from '../../../../src/stores/cache-store.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { chainOf, deferred, hashInOrder, settle, subjectOf, TestContext } from './harness.ts';

const READ = subjectOf({ isReadOnly: true, tags: ['notes'] });
const WRITE = subjectOf({ name: 'write', tags: ['notes'] });

beforeEach(hashInOrder);

/** A handler that returns the number of its runs. */
function counter(): { handler: () => { run: number }; runs: () => number } {
  let runs = 0;
  return { handler: () => ({ run: (runs += 1) }), runs: () => runs };
}

describe('cached calls', () => {
  test('the result of a read-only call, for its time', async () => {
    const clock = new FakeClock();
    const { handler } = counter();
    const chain = chainOf(handler, [resultCache({ ttlMs: 1000, clock })], READ);
    expect(await chain()).toEqual({ run: 1 });
    clock.advance(999);
    expect(await chain()).toEqual({ run: 1 });
    clock.advance(1);
    expect(await chain()).toEqual({ run: 2 });
    expect(clock.pending).toBe(0);
  });

  test('nothing of a call that is not read-only', async () => {
    const { handler } = counter();
    const chain = chainOf(handler, [resultCache()], subjectOf({ isIdempotent: true }));
    await chain();
    expect(await chain()).toEqual({ run: 2 });
  });

  test('no failure, thrown or as a value', async () => {
    let runs = 0;
    const failing = chainOf(() => Promise.reject(new Error(`run ${(runs += 1)}`)), [resultCache()], READ);
    await expect(failing()).rejects.toThrow('run 1');
    await expect(failing()).rejects.toThrow('run 2');
    const error = (): unknown => createError({ message: `run ${(runs += 1)}`, suggestions: [] });
    const answering = chainOf(error, [resultCache()], READ);
    expect(await answering()).toMatchObject({ message: 'run 3' });
    expect(await answering()).toMatchObject({ message: 'run 4' });
    const result = (): unknown => ({
      content: [{ type: 'text', text: `run ${(runs += 1)}` }],
      isError: true,
    });
    const reporting = chainOf(result, [resultCache()], READ);
    await reporting();
    expect(await reporting()).toMatchObject({ content: [{ text: 'run 6' }] });
  });

  test('a result of success() is cached as a result of success()', async () => {
    const made = createSuccess({ value: { a: 1 }, text: 'One.', format: 'toon', meta: { m: 1 } });
    const chain = chainOf(() => made, [resultCache()], READ);
    await chain();
    const cached = await chain();
    expect(cached).toEqual(made);
    expect(cached).not.toBe(made);
  });

  test('undefined is a result', async () => {
    let runs = 0;
    const chain = chainOf(() => void (runs += 1), [resultCache()], READ);
    await chain();
    expect([await chain(), runs]).toEqual([undefined, 1]);
  });

  test.each([
    ['a function', () => () => 1],
    ['a Map', () => new Map([['a', 1]])],
    ['an instance of a class', () => new (class Money {})()],
    ['a cycle', () => cycle()],
    ['more than fits', () => 'x'.repeat(100_000)],
  ])('not %s', async (_, value) => {
    let runs = 0;
    const chain = chainOf(() => ((runs += 1), value()), [resultCache()], READ);
    await chain();
    await chain();
    expect(runs).toBe(2);
  });

  test('a copy: later changes have no effect', async () => {
    const own = { list: [1, 2] };
    const chain = chainOf(() => own, [resultCache()], READ);
    const first = (await chain()) as typeof own;
    expect(first).toBe(own);
    first.list.push(3);
    own.list.push(4);
    const second = (await chain()) as typeof own;
    expect(second).toEqual({ list: [1, 2] });
    second.list.push(5);
    expect(await chain()).toEqual({ list: [1, 2] });
  });
});

function cycle(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}

describe('the key', () => {
  /** Number of handler runs for these calls, one after the other. */
  async function runsFor(
    calls: readonly { input?: unknown; given?: object; subject?: PolicySubject }[],
  ): Promise<number> {
    const { handler, runs } = counter();
    const middleware = [resultCache()];
    for (const { input = {}, given = {}, subject = READ } of calls)
      await chainOf(handler, middleware, subject)(input, new TestContext(given));
    return runs();
  }

  test.each([
    ['principals', [{ given: { principal: { id: 'ada' } } }, { given: { principal: { id: 'bob' } } }]],
    [
      'scopes of one principal',
      [
        { given: { principal: { id: 'ada', scopes: ['read'] } } },
        { given: { principal: { id: 'ada', scopes: ['read', 'admin'] } } },
      ],
    ],
    ['tokens', [{ given: { accessToken: 'one' } }, { given: { accessToken: 'two' } }]],
    [
      'claims of one principal without a token',
      [
        { given: { principal: { id: 'ada', claims: { acr: '1' } } } },
        { given: { principal: { id: 'ada', claims: { acr: '2' } } } },
        { given: { principal: { id: 'ada' } } },
      ],
    ],
    [
      'a token, a principal of that name and nobody',
      [{ given: { accessToken: 'ada' } }, { given: { principal: { id: 'ada' } } }, {}],
    ],
    ['tools', [{}, { subject: { ...READ, name: 'other' } }]],
    ['texts and numbers', [{ input: { a: '1' } }, { input: { a: 1 } }, { input: { a: 1n } }]],
    ['dates and their texts', [{ input: { a: new Date(0) } }, { input: { a: new Date(0).toISOString() } }]],
    ['nothing and undefined', [{ input: {} }, { input: { a: undefined } }, { input: { a: null } }]],
    ['zero and minus zero', [{ input: { a: 0 } }, { input: { a: -0 } }]],
    [
      'lists and their texts',
      [{ input: { a: ['b', 'c'] } }, { input: { a: ['b","c'] } }, { input: { a: ['b'], c: 1 } }],
    ],
  ])('tells %s apart', async (_, calls) => {
    expect(await runsFor(calls)).toBe(calls.length);
  });

  test.each([
    ['the order of keys', [{ input: { a: 1, b: { c: 2, d: 3 } } }, { input: { b: { d: 3, c: 2 }, a: 1 } }]],
    ['equal dates', [{ input: { a: new Date(5) } }, { input: { a: new Date(5) } }]],
    [
      'the order of scopes',
      [
        { given: { principal: { id: 'ada', scopes: ['a', 'b'] }, accessToken: 't' } },
        { given: { principal: { id: 'ada', scopes: ['b', 'a'] }, accessToken: 't' } },
      ],
    ],
    [
      'the order of claims',
      [
        { given: { principal: { id: 'ada', claims: { a: 1, b: [2] } } } },
        { given: { principal: { id: 'ada', claims: { b: [2], a: 1 } } } },
      ],
    ],
  ])('does not mind %s', async (_, calls) => {
    expect(await runsFor(calls)).toBe(1);
  });

  test.each([
    ['a Map', { a: new Map() }],
    ['a class', { a: new (class Money {})() }],
    ['a function', { a: () => 1 }],
    ['a symbol', { [Symbol('a')]: 1 }],
    // oxlint-disable-next-line no-sparse-arrays
    ['a list with holes', { a: [1, , 2] }],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('no');
        },
      },
    ],
    ['a cycle', cycle()],
  ])('arguments with %s are not cached', async (_, input) => {
    expect(await runsFor([{ input }, { input }])).toBe(2);
  });

  test('claims that cannot be compared are not cached', async () => {
    const given = { principal: { id: 'ada', claims: { since: new Map() } } };
    expect(await runsFor([{ given }, { given }])).toBe(2);
  });

  test('a store sees neither tokens nor arguments', async () => {
    const keys: string[] = [];
    const memory = new MemoryCacheStore();
    const store: CacheStore = {
      get: (key) => (keys.push(key), memory.get(key)),
      set: (key, value, ttlMs) => (keys.push(key), memory.set(key, value, ttlMs)),
      delete: (key) => memory.delete(key),
    };
    const chain = chainOf(() => 1, [resultCache({ store })], READ);
    await chain({ password: 'canary-1' }, new TestContext({ accessToken: 'canary-2' }));
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.join()).not.toContain('canary');
  });
});

describe('calls at the same time', () => {
  test('500 misses run the handler once, and each gets a copy of its own', async () => {
    const work = deferred();
    let runs = 0;
    const chain = chainOf(() => ((runs += 1), work.promise), [resultCache()], READ);
    const calls = Array.from({ length: 500 }, () => chain({ id: 7 }));
    await settle();
    work.resolve({ a: 1 });
    const results = await Promise.all(calls);
    expect(runs).toBe(1);
    expect(results.every((result) => JSON.stringify(result) === '{"a":1}')).toBe(true);
    expect(new Set(results).size).toBe(500);
  });

  test('the same with a store that answers in any order', async () => {
    const memory = new MemoryCacheStore();
    let turn = 0;
    const slow = async <TValue>(run: () => TValue): Promise<TValue> => {
      const turns = (turn = (turn * 7 + 3) % 11);
      for (let left = turns; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
      const result = run();
      for (let left = 11 - turns; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
      return result;
    };
    const store: CacheStore = {
      get: (key) => slow(() => memory.get(key)),
      set: (key, value, ttlMs) => slow(() => memory.set(key, value, ttlMs)),
      delete: (key) => slow(() => memory.delete(key)),
    };
    const { handler, runs } = counter();
    const chain = chainOf(handler, [resultCache({ store })], READ);
    await Promise.all(Array.from({ length: 100 }, () => chain()));
    expect(runs()).toBe(1);
  });

  test('a failure is shared, and the next call starts anew', async () => {
    const works = [deferred(), deferred()];
    let runs = 0;
    const chain = chainOf(() => works[(runs += 1) - 1]?.promise, [resultCache()], READ);
    const calls = [chain(), chain(), chain()];
    await settle();
    works[0]?.reject(new Error('down'));
    const ended = await Promise.allSettled(calls);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    works[1]?.resolve('up');
    expect([await chain(), runs]).toEqual(['up', 2]);
  });

  test.each(['goes on', 'stops'])(
    'when the one that runs is cancelled and its handler %s, another takes over and the rest wait for it',
    async (how) => {
      const works = [deferred(), deferred()];
      const signals: AbortSignal[] = [];
      const handler = ({ context: { signal } }: { context: { signal: AbortSignal } }): unknown => {
        const work = works[signals.push(signal) - 1];
        if (how === 'stops') signal.addEventListener('abort', () => work?.reject(signal.reason));
        return work?.promise;
      };
      const chain = chainOf(handler, [resultCache()], READ);
      const leader = new TestContext();
      const led = chain({}, leader);
      led.catch(() => {});
      await settle();
      const others = [chain(), chain(), chain()];
      await settle();
      leader.stop(undefined);
      await settle();
      works[1]?.resolve('second');
      expect(await Promise.all(others)).toEqual(['second', 'second', 'second']);
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
      works[0]?.resolve('first');
    },
  );

  test.each([
    ['CANCELLED', new CallRefusedError('CANCELLED', 'Gone.')],
    ['an AbortError', new DOMException('Gone', 'AbortError')],
  ])('%s from inside fails only the one that ran', async (_, error) => {
    const first = deferred();
    let runs = 0;
    const chain = chainOf(() => ((runs += 1) === 1 ? first.promise : 'second'), [resultCache()], READ);
    const calls = [chain(), chain()];
    await settle();
    first.reject(error);
    const ended = await Promise.allSettled(calls);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  test('a deadline in front of the cache cancels its own call and nobody else’s', async () => {
    const clock = new FakeClock();
    const cache = resultCache({ clock });
    let runs = 0;
    const work = deferred();
    const handler = (): unknown => ((runs += 1) === 1 ? new Promise(() => {}) : work.promise);
    const hurried = chainOf(handler, [timeout({ ms: 100, clock }), cache], READ)();
    await settle();
    const patient = chainOf(handler, [cache], READ)();
    await settle();
    clock.advance(100);
    await expect(hurried).rejects.toMatchObject({ code: 'TIMED_OUT' });
    work.resolve('second');
    expect([await patient, runs]).toEqual(['second', 2]);
  });

  test('one that waits and is cancelled fails alone', async () => {
    const work = deferred();
    const chain = chainOf(() => work.promise, [resultCache()], READ);
    const first = chain();
    await settle();
    const context = new TestContext();
    const second = chain({}, context);
    const third = chain();
    await settle();
    context.stop(undefined);
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    work.resolve('done');
    expect(await Promise.all([first, third])).toEqual(['done', 'done']);
  });

  test('a load that takes longer than maxSharedMs is waited for no more', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const handler = (): unknown => ((runs += 1) === 1 ? new Promise(() => {}) : 'second');
    const chain = chainOf(handler, [resultCache({ clock, maxSharedMs: 1000 })], READ);
    void chain();
    await settle();
    const others = [chain(), chain()];
    await settle();
    clock.advance(999);
    await settle();
    expect(runs).toBe(1);
    clock.advance(1);
    expect(await Promise.all(others)).toEqual(['second', 'second']);
    expect(runs).toBe(2);
  });

  test('values that cannot be copied are loaded by each call', async () => {
    let runs = 0;
    const first = deferred();
    const handler = (): unknown => ((runs += 1) === 1 ? first.promise : new Map([['run', runs]]));
    const chain = chainOf(handler, [resultCache()], READ);
    const calls = [chain(), chain(), chain()];
    await settle();
    first.resolve(new Map([['run', 1]]));
    expect(new Set(await Promise.all(calls)).size).toBe(3);
    expect(runs).toBe(3);
  });
});

describe('a store with claims', () => {
  /** A store that records the uses of claims. The first look at a tag can be delayed, or fail. */
  function claimStore(firstLook: () => unknown = () => undefined): { store: CacheStore; events: unknown[] } {
    const memory = new MemoryCacheStore();
    const events: unknown[] = [];
    let looks = 0;
    const store: CacheStore = {
      get: async (key) => {
        events.push('look at a tag');
        if ((looks += 1) === 1) await firstLook();
        return memory.get(key);
      },
      set: (key, value, ttlMs) => memory.set(key, value, ttlMs),
      delete: (key) => memory.delete(key),
      claims: {
        claim: (key) => {
          events.push('claim');
          const value = memory.get(key);
          return value === undefined ? { kind: 'claimed' } : { kind: 'found', value };
        },
        extend: () => true,
        settle: (key, _token, loaded) => {
          events.push(loaded === undefined ? 'give up' : 'store');
          if (loaded !== undefined) memory.set(key, loaded.value, loaded.ttlMs);
        },
      },
    };
    return { store, events };
  }

  test('is asked for the claim while the tag is read, and a hit needs no more', async () => {
    const look = deferred();
    const { store, events } = claimStore(() => look.promise);
    const chain = chainOf(counter().handler, [resultCache({ store, tags: () => ['a'] })], READ);
    const first = chain();
    await settle();
    expect(events).toEqual(['look at a tag', 'claim']);
    look.resolve(undefined);
    expect(await first).toEqual({ run: 1 });
    expect(events.at(-1)).toBe('store');
    events.length = 0;
    expect(await chain()).toEqual({ run: 1 });
    expect(events).toEqual(['look at a tag', 'claim']);
  });

  test('if the tag cannot be read, the call runs uncached and gives its claim up', async () => {
    const clock = new FakeClock();
    const { store, events } = claimStore(() => Promise.reject(new Error('down')));
    const chain = chainOf(counter().handler, [resultCache({ store, clock, tags: () => ['a'] })], READ);
    expect(await chain()).toEqual({ run: 1 });
    await settle();
    expect(events).toEqual(['look at a tag', 'claim', 'give up']);
    expect(clock.pending).toBe(0);
    expect(await chain()).toEqual({ run: 2 });
    expect(await chain()).toEqual({ run: 2 });
  });

  test('a call that is overtaken by an equal one gives its claim up, and gets the result of the other', async () => {
    const look = deferred();
    const work = deferred();
    const { store, events } = claimStore(() => look.promise);
    let runs = 0;
    const handler = (): unknown => ((runs += 1), work.promise);
    const cache = resultCache({ store, tags: () => ['a'] });
    await cache.invalidate(['a']);
    const chain = chainOf(handler, [cache], READ);
    const overtaken = chain();
    await settle();
    const other = chain();
    await settle();
    look.resolve(undefined);
    await settle();
    expect(events).toEqual(['look at a tag', 'claim', 'look at a tag', 'claim', 'give up']);
    work.resolve('done');
    expect(await Promise.all([overtaken, other])).toEqual(['done', 'done']);
    expect([runs, events.at(-1)]).toEqual([1, 'store']);
  });
});

describe('invalidation', () => {
  test('a call that is not read-only makes what shares a tag invalid, and nothing else', async () => {
    const cache = resultCache();
    const notes = chainOf(counter().handler, [cache], READ);
    const users = chainOf(
      counter().handler,
      [cache],
      subjectOf({ name: 'users', tool: 'users', isReadOnly: true, tags: ['users'] }),
    );
    const both = chainOf(
      counter().handler,
      [cache],
      subjectOf({ name: 'both', tool: 'both', isReadOnly: true, tags: ['users', 'notes'] }),
    );
    for (const chain of [notes, users, both]) await chain();
    await chainOf(() => 'written', [cache], WRITE)();
    expect(await Promise.all([notes(), users(), both()])).toEqual([{ run: 2 }, { run: 1 }, { run: 2 }]);
  });

  test('a failed change may have changed something too', async () => {
    const cache = resultCache();
    const notes = chainOf(counter().handler, [cache], READ);
    await notes();
    await expect(chainOf(() => Promise.reject(new Error('half done')), [cache], WRITE)()).rejects.toThrow(
      'half done',
    );
    expect(await notes()).toEqual({ run: 2 });
  });

  test('invalidate does it by hand, and tags can be chosen', async () => {
    const cache = resultCache({ tags: ({ namespace }) => [namespace] });
    const notes = chainOf(counter().handler, [cache], READ);
    await notes();
    await cache.invalidate(['notes']);
    expect(await notes()).toEqual({ run: 1 });
    await cache.invalidate(['default']);
    expect(await notes()).toEqual({ run: 2 });
  });

  test('a load that began before is not stored, and later calls do not join it', async () => {
    const cache = resultCache();
    const works = [deferred(), deferred()];
    let runs = 0;
    const notes = chainOf(() => works[(runs += 1) - 1]?.promise ?? 'third', [cache], READ);
    const before = notes();
    await settle();
    await chainOf(() => 'written', [cache], WRITE)();
    const after = notes();
    await settle();
    expect(runs).toBe(2);
    works[1]?.resolve('new');
    expect(await after).toBe('new');
    works[0]?.resolve('old');
    expect(await before).toBe('old');
    expect([await notes(), runs]).toEqual(['new', 2]);
  });

  test('two machines with one store agree', async () => {
    const store = new MemoryCacheStore();
    const [here, there] = [resultCache({ store }), resultCache({ store })];
    const { handler } = counter();
    const [readHere, readThere] = [chainOf(handler, [here], READ), chainOf(handler, [there], READ)];
    expect([await readHere(), await readThere()]).toEqual([{ run: 1 }, { run: 1 }]);
    await chainOf(() => 'written', [there], WRITE)();
    expect([await readHere(), await readThere()]).toEqual([{ run: 2 }, { run: 2 }]);
  });

  test('a store that forgets a tag makes misses and no old answers', async () => {
    const store = new MemoryCacheStore();
    const cache = resultCache({ store });
    const notes = chainOf(counter().handler, [cache], READ);
    await notes();
    await cache.invalidate(['notes']);
    store.delete('toolwright:tag:notes');
    expect(await notes()).toEqual({ run: 2 });
  });
});

describe('a store that fails', () => {
  const broken = (): Promise<never> => Promise.reject(new Error('down'));

  test('makes calls run uncached', async () => {
    const { handler } = counter();
    const context = new TestContext();
    const store: CacheStore = { get: broken, set: broken, delete: broken };
    const chain = chainOf(handler, [resultCache({ store })], READ);
    expect([await chain({}, context), await chain({}, context)]).toEqual([{ run: 1 }, { run: 2 }]);
    expect(context.logged[0]).toMatchObject({ level: 'warning', message: 'the result cache failed' });
  });

  test('does not fail the change that it could not note', async () => {
    const context = new TestContext();
    const store: CacheStore = { get: () => undefined, set: broken, delete: broken };
    const cache = resultCache({ store });
    expect(await chainOf(() => 'written', [cache], WRITE)({}, context)).toBe('written');
    expect(context.logged).toMatchObject([
      { level: 'error', message: 'cached results could not be invalidated' },
    ]);
    await expect(cache.invalidate(['notes'])).rejects.toThrow('down');
  });

  test('and foreign entries in it are misses', async () => {
    const store: CacheStore = {
      get: (key) => (key.includes('result') ? { hello: 1 } : 'g'),
      set: () => {},
      delete: () => {},
    };
    expect(await chainOf(() => 'loaded', [resultCache({ store })], READ)()).toBe('loaded');
  });
});
