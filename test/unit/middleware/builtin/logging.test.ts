import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../../src/errors/errors.ts';
import { createError } from '../../../../src/format/tool-response.ts';
import { logging } from '../../../../src/middleware/builtin/logging.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { chainOf, subjectOf, TestContext } from './harness.ts';

describe('logging', () => {
  test('a call leaves an entry when it starts and one when it ends', async () => {
    const clock = new FakeClock();
    const context = new TestContext({ principal: { id: 'ada' } });
    const handler = (): number => (clock.advance(30), 7);
    expect(await chainOf(handler, [logging({ clock })], subjectOf())({ secret: 1 }, context)).toBe(7);
    expect(context.logged).toEqual([
      { level: 'debug', message: 'call started', fields: { name: 'things', principal: 'ada' } },
      {
        level: 'info',
        message: 'call ended',
        fields: { name: 'things', principal: 'ada', outcome: 'ok', durationMs: 30 },
      },
    ]);
  });

  test('arguments are logged only when asked for, and then only with the start', async () => {
    const context = new TestContext();
    await chainOf(() => 1, [logging({ logArguments: true })])({ a: 1 }, context);
    expect(context.logged.map(({ fields }) => fields?.['arguments'])).toEqual([{ a: 1 }, undefined]);
  });

  test('a failure as a value is an error, and what is thrown is named by its code and not by its message', async () => {
    const context = new TestContext();
    const chain = chainOf(
      () => createError({ message: 'No.', suggestions: [] }),
      [logging({ level: 'warning' })],
    );
    await chain({}, context);
    const throwing = chainOf(() => {
      throw new ToolError('secret words');
    }, [logging({ level: 'warning' })]);
    await expect(throwing({}, context)).rejects.toThrow('secret words');
    const ends = context.logged.filter(({ level }) => level === 'warning');
    expect(ends.map(({ fields }) => [fields?.['outcome'], fields?.['code']])).toEqual([
      ['error', undefined],
      ['thrown', 'TOOL_ERROR'],
    ]);
    expect(JSON.stringify(context.logged)).not.toContain('secret words');
  });

  test('a result that throws when it is looked at passes', async () => {
    const context = new TestContext();
    const hostile = new Proxy(
      {},
      {
        has: () => {
          throw new Error('hands off');
        },
        get: () => undefined,
      },
    );
    const result = await chainOf(() => hostile, [logging()])({}, context);
    expect(result === hostile).toBe(true);
    expect(context.logged[1]?.fields).toMatchObject({ outcome: 'error' });
  });

  test('entries of disabled levels are not built', async () => {
    const context = new TestContext();
    const quiet = { ...context.log, isEnabled: () => false };
    await chainOf(() => 1, [logging()])({}, Object.defineProperty(context, 'log', { value: quiet }));
    expect(context.logged).toEqual([]);
  });
});
