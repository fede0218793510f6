import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, ToolRegistry } from '../../../../src/index.ts';
import { audit, rateLimit, resultCache, retry } from '../../../../src/middleware.ts';
import { refused } from '../../../support/refused.ts';

describe('context members of the application', () => {
  const greet = (options: object = {}) => {
    let runs = 0;
    const registry = new ToolRegistry<{ user: string }>().use(resultCache(options)).register({
      name: 'greet',
      description: 'Greets',
      annotations: { readOnlyHint: true },
      inputSchema: z.object({}),
      handler: ({ context }) => `Hello, ${context.user}! ${(runs += 1)}`,
    });
    return async (user: string, principal?: { id: string }): Promise<unknown> =>
      (await registry.executeTool({ name: 'greet', context: { user }, principal })).content[0];
  };

  test('may depend on the caller, so anonymous callers are not served from the cache', async () => {
    const call = greet();
    expect(await call('Ada')).toEqual({ type: 'text', text: 'Hello, Ada! 1' });
    expect(await call('Bob')).toEqual({ type: 'text', text: 'Hello, Bob! 2' });
  });

  test('is part of the key where it is named', async () => {
    const call = greet({ by: ({ context }: { context: { user: string } }) => context.user });
    expect(await call('Ada')).toEqual({ type: 'text', text: 'Hello, Ada! 1' });
    expect(await call('Ada')).toEqual({ type: 'text', text: 'Hello, Ada! 1' });
    expect(await call('Bob')).toEqual({ type: 'text', text: 'Hello, Bob! 2' });
  });
});

test('a write makes the results of its own tool invalid, without any tags', async () => {
  const items = ['a'];
  const registry = new ToolRegistry().use(resultCache()).register(
    createTool('db')
      .action({ name: 'list', readOnly: true, handler: () => items.join(',') })
      .action({ name: 'add', handler: () => items.push('b') }),
  );
  const call = async (action: string): Promise<unknown> =>
    (await registry.executeTool({ name: 'db', arguments: { action } })).content[0];
  expect(await call('list')).toEqual({ type: 'text', text: 'a' });
  await call('add');
  expect(await call('list')).toEqual({ type: 'text', text: 'a,b' });
});

test.each([
  [() => resultCache({ ttl: 5 } as never), refused('ttl', { reason: 'unknown-option' })],
  [() => retry({ retries: 3 } as never), refused('retries', { reason: 'unknown-option' })],
  [() => rateLimit({ limit: 0, perMs: 1 }), 'rateLimit: limit must be an integer of at least 1'],
  [() => audit({} as never), refused('write')],
])('options that would quietly mean nothing are refused %#', (make, message) => {
  expect(make).toThrow(message);
});
