import { describe, expect, test } from 'vitest';
import { CallRefusedError, ToolError } from '../../../../src/errors/errors.ts';
import { createError } from '../../../../src/format/tool-response.ts';
import { audit } from '../../../../src/middleware/builtin/audit.ts';
import type { AuditRecord } from '../../../../src/middleware/builtin/audit.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { chainOf, settle, subjectOf, TestContext } from './harness.ts';

const READ_ONLY = subjectOf({ isReadOnly: true });

function trail(): { records: AuditRecord[]; write: (record: AuditRecord) => void } {
  const records: AuditRecord[] = [];
  return { records, write: (record) => void records.push(record) };
}

describe('the records', () => {
  test('a call that changes something leaves an intent before it runs and an end after it', async () => {
    const clock = new FakeClock();
    const { records, write } = trail();
    let before = 0;
    const subject = subjectOf({ name: 'users.delete', tool: 'users', action: 'delete', isDestructive: true });
    const handler = (): string => ((before = records.length), clock.advance(12), 'secret result');
    const context = new TestContext({
      principal: { id: 'ada' },
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    await chainOf(handler, [audit({ write, clock })], subject)({ password: 'secret' }, context);
    const call = {
      at: 1_000_000,
      name: 'users.delete',
      tool: 'users',
      action: 'delete',
      principal: 'ada',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    expect(before).toBe(1);
    expect(records).toEqual([
      { phase: 'intent', ...call },
      { phase: 'end', ...call, outcome: 'ok', durationMs: 12 },
    ]);
    expect(JSON.stringify(records)).not.toContain('secret');
  });

  test('a read-only call leaves its end and nothing else', async () => {
    const { records, write } = trail();
    await chainOf(() => 1, [audit({ write, clock: new FakeClock() })], READ_ONLY)();
    expect(records).toEqual([
      { phase: 'end', at: 1_000_000, name: 'things', tool: 'things', outcome: 'ok', durationMs: 0 },
    ]);
  });

  test.each([
    ['a failure as a value', () => createError({ message: 'No.', suggestions: [] }), ['error', 'TOOL_ERROR']],
    ['a ToolError', () => Promise.reject(new ToolError('No.')), ['thrown', 'TOOL_ERROR']],
    ['anything thrown', () => Promise.reject(new Error('broken')), ['thrown', 'TOOL_FAILED']],
    ['a refusal', () => Promise.reject(new CallRefusedError('BUSY', 'Full.')), ['thrown', 'BUSY']],
    [
      'a cancellation',
      () => Promise.reject(new CallRefusedError('CANCELLED', 'Gone.')),
      ['cancelled', 'CANCELLED'],
    ],
  ])('%s is recorded with its code', async (_, handler, wanted) => {
    const { records, write } = trail();
    await chainOf(handler, [audit({ write })], READ_ONLY)().catch(() => {});
    expect(records).toMatchObject([{ outcome: wanted[0], code: wanted[1] }]);
  });

  test.each([
    ['cancelled', undefined, 'CANCELLED'],
    ['stopped at its deadline', new DOMException('late', 'TimeoutError'), 'TIMED_OUT'],
  ])('a call that is %s is recorded at once and once, whatever its handler does', async (_, reason, code) => {
    const { records, write } = trail();
    const context = new TestContext();
    let finish: () => void = () => {};
    const handler = (): Promise<void> =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const call = chainOf(handler, [audit({ write })], READ_ONLY)({}, context);
    await settle();
    context.stop(reason);
    await settle();
    expect(records).toMatchObject([{ outcome: 'cancelled', code }]);
    finish();
    await call;
    expect(records).toHaveLength(1);
  });

  test('1,000 calls of all kinds leave 1,000 ends', async () => {
    const { records, write } = trail();
    const middleware = [audit({ write })];
    const calls = Array.from({ length: 1000 }, async (_, index) => {
      const context = new TestContext();
      const handler = (): unknown => {
        if (index % 4 === 0) throw new Error('broken');
        if (index % 4 === 1) context.stop(undefined);
        return index % 4 === 2 ? createError({ message: 'No.', suggestions: [] }) : index;
      };
      await chainOf(handler, middleware, READ_ONLY)({}, context).catch(() => {});
    });
    await Promise.all(calls);
    const counts = new Map<unknown, number>();
    for (const record of records)
      if (record.phase === 'end') counts.set(record.outcome, (counts.get(record.outcome) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ ok: 250, error: 250, thrown: 250, cancelled: 250 });
  });

  test('a traceparent that is none is left out', async () => {
    const { records, write } = trail();
    const context = new TestContext({ traceparent: 'my password' });
    await chainOf(() => 1, [audit({ write })], READ_ONLY)({}, context);
    expect(JSON.stringify(records)).not.toContain('password');
  });
});

describe('a sink that fails', () => {
  const write = (): Promise<void> => Promise.reject(new Error('disk full'));

  test('refuses what would change something, before anything has run', async () => {
    let runs = 0;
    const context = new TestContext();
    const call = chainOf(() => (runs += 1), [audit({ write })])({}, context);
    const failure: unknown = await call.catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'ToolwrightError',
      code: 'TOOL_FAILED',
      message: 'The call was refused: its audit record could not be written.',
    });
    expect([runs, (failure as Error).cause]).toEqual([0, undefined]);
    expect(context.logged).toMatchObject([{ level: 'error', fields: { error: { message: 'disk full' } } }]);
  });

  test('is only logged where that is wanted', async () => {
    const context = new TestContext();
    expect(await chainOf(() => 'done', [audit({ write, onFailure: 'log' })])({}, context)).toBe('done');
    expect(context.logged.map(({ level }) => level)).toEqual(['error', 'error']);
  });

  test('after the call is logged: it is too late to refuse', async () => {
    const context = new TestContext();
    const broken = (record: AuditRecord): void => {
      if (record.phase === 'end') throw new Error('disk full');
    };
    expect(await chainOf(() => 'done', [audit({ write: broken })])({}, context)).toBe('done');
    expect(context.logged).toHaveLength(1);
  });
});
