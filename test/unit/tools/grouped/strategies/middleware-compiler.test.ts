import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../../../src/middleware/compile-chain.ts';
import type { PolicySubject } from '../../../../../src/middleware/context.ts';
import type { AnyMiddleware, MiddlewareCall } from '../../../../../src/middleware/middleware.ts';
import { compileMiddleware } from '../../../../../src/tools/grouped/strategies/middleware-compiler.ts';

const subject = (name: string): PolicySubject => ({
  name,
  tool: 'platform',
  action: name,
  tags: [],
  scopes: [],
  category: undefined,
  namespace: 'platform',
  operation: name,
  isReadOnly: false,
  isDestructive: false,
  isIdempotent: false,
});

const run = (chain: Chain | undefined): unknown =>
  (chain as unknown as (call: object) => unknown)({ input: {}, context: {} });

describe('the middleware compiler', () => {
  const log: string[] = [];
  const note =
    (name: string): AnyMiddleware =>
    ({ subject: { name: action }, next }: MiddlewareCall) => {
      log.push(`${name} around ${action}`);
      return next();
    };
  const action = (key: string, middleware: readonly AnyMiddleware[]) => ({
    key,
    handler: (() => `${key} ran`) as Chain,
    middleware,
    subject: subject(key),
  });

  test('makes one function per action: global middleware outermost, its own innermost', async () => {
    const chains = compileMiddleware({
      actions: [action('list', []), action('ban', [note('group'), note('own')])],
      global: [note('first'), note('second')],
    });
    expect([...chains.keys()]).toEqual(['list', 'ban']);
    expect(await run(chains.get('ban'))).toBe('ban ran');
    expect(log.splice(0)).toEqual([
      'first around ban',
      'second around ban',
      'group around ban',
      'own around ban',
    ]);
    expect(await run(chains.get('list'))).toBe('list ran');
    expect(log.splice(0)).toEqual(['first around list', 'second around list']);
  });

  test('leaves a handler alone that nothing stands around', () => {
    const bare = action('list', []);
    expect(compileMiddleware({ actions: [bare], global: [] }).get('list')).toBe(bare.handler);
  });

  test('does not see what is done to the lists later', async () => {
    const global = [note('first')];
    const chains = compileMiddleware({ actions: [action('list', [])], global });
    global.length = 0;
    await run(chains.get('list'));
    expect(log.splice(0)).toEqual(['first around list']);
  });
});
