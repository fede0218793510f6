import { describe, expect, test } from 'vitest';
import { PromptsManager } from '../../../src/index.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';
import type { Completer, CompletionRequest, PromptsManagerOptions } from '../../../src/index.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };
const errorHandler = new ErrorHandler({ logger: silent, createReference: () => 'ref-1' });

function manager(completer: Completer, options: PromptsManagerOptions = {}): PromptsManager {
  return new PromptsManager({ logger: silent, errorHandler, ...options }).addPrompt({
    name: 'p',
    arguments: [{ name: 'tone' }, { name: 'free' }],
    complete: { tone: completer },
    template: '',
  });
}

const ask = (completer: Completer, value = '', request: Partial<CompletionRequest> = {}) =>
  manager(completer).complete({ ref: 'p', argument: 'tone', value, arguments: {}, ...request });

const many = Array.from({ length: 150 }, (_, index) => `v${index}`);

describe('a list', () => {
  test('is filtered by what was typed, whatever the case', async () => {
    const tones = ['Friendly', 'FORMAL', 'strict', 'fr'];
    expect(await ask(tones, 'fr')).toEqual({
      kind: 'value',
      value: { values: ['Friendly', 'fr'], total: 2, hasMore: false },
    });
    expect(await ask(tones, 'FO')).toMatchObject({ value: { values: ['FORMAL'] } });
    expect(await ask(tones, '')).toMatchObject({ value: { values: tones, total: 4 } });
    expect(await ask(tones, 'riendly')).toEqual({
      kind: 'value',
      value: { values: [], total: 0, hasMore: false },
    });
  });

  test('of more than a hundred says so', async () => {
    const reply = await ask(many);
    expect(reply).toMatchObject({ value: { total: 150, hasMore: true } });
    expect((reply as { value: { values: string[] } }).value.values).toEqual(many.slice(0, 100));
  });

  test('is copied: changing it later changes nothing', async () => {
    const tones = ['a'];
    const prompts = manager(tones);
    tones.push('b');
    expect(await prompts.complete({ ref: 'p', argument: 'tone', value: '', arguments: {} })).toMatchObject({
      value: { values: ['a'] },
    });
  });
});

describe('a function', () => {
  test('gets the value, what was chosen before, a signal and the context; its list is not filtered', async () => {
    const seen: unknown[] = [];
    const reply = await ask(
      (value, { arguments: chosen, signal, context }) => {
        seen.push(value, chosen, signal.aborted, context.principal?.id);
        return ['z'];
      },
      'a',
      { arguments: { free: 'x' }, principal: { id: 'ada' } },
    );
    expect(seen).toEqual(['a', { free: 'x' }, false, 'ada']);
    expect(reply).toEqual({ kind: 'value', value: { values: ['z'], total: 1, hasMore: false } });
  });

  test('may answer later, and may say how many there are', async () => {
    expect(await ask(() => Promise.resolve({ values: ['a'], total: 7 }))).toEqual({
      kind: 'value',
      value: { values: ['a'], total: 7, hasMore: true },
    });
    expect(await ask(() => ({ values: ['a'] }))).toEqual({
      kind: 'value',
      value: { values: ['a'], hasMore: false },
    });
    expect(await ask(() => ({ values: ['a'], hasMore: true }))).toEqual({
      kind: 'value',
      value: { values: ['a'], hasMore: true },
    });
  });

  test('that finds more than a hundred is cut, whatever it says', async () => {
    const reply = await ask(() => ({ values: many, hasMore: false }));
    expect(reply).toMatchObject({ value: { hasMore: true } });
    expect((reply as { value: { values: string[] } }).value.values).toHaveLength(100);
  });

  test('that throws is answered without its message', async () => {
    const reply = await ask(() => {
      throw new Error('db.internal is down');
    });
    expect(reply).toEqual({
      kind: 'protocol-error',
      code: -32603,
      reason: 'TOOL_FAILED',
      message:
        "Prompt 'p' failed unexpectedly. The details are in the server's log under the reference ref-1.",
      data: { code: 'TOOL_FAILED', reference: 'ref-1' },
    });
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'a'],
    ['numbers', [1]],
    ['no values', {}],
    ['a total that is no number', { values: [], total: 'x' }],
    ['a negative total', { values: [], total: -1 }],
  ])('that finds %s is answered', async (_, found) => {
    expect(await ask(() => found as never)).toMatchObject({
      code: -32603,
      reason: 'INVALID_OUTPUT',
      message:
        "Prompt 'p' returned a value that cannot be sent: a completer returns an array of strings, or { values, total, hasMore }.",
    });
  });

  test('that hangs is stopped at the deadline, or when the caller is gone', async () => {
    const clock = new FakeClock();
    const prompts = manager(() => new Promise(() => {}), { clock, timeoutMs: 50 });
    const request = { ref: 'p', argument: 'tone', value: '', arguments: {} };
    const late = prompts.complete(request);
    clock.advance(50);
    expect(await late).toMatchObject({ reason: 'TIMED_OUT' });
    const controller = new AbortController();
    const cancelled = prompts.complete({ ...request, signal: controller.signal });
    controller.abort();
    expect(await cancelled).toMatchObject({ reason: 'CANCELLED' });
  });

  test('is limited like any call', async () => {
    const prompts = manager(() => [], { rateLimit: { limit: 1, perMs: 1000 }, clock: new FakeClock() });
    const request = { ref: 'p', argument: 'tone', value: '', arguments: {} };
    await prompts.complete(request);
    expect(await prompts.complete(request)).toMatchObject({ reason: 'RATE_LIMITED' });
  });
});

describe('where there is nothing to complete', () => {
  test('an argument without a completer has no values', async () => {
    expect(await ask([], '', { argument: 'free' })).toEqual({
      kind: 'value',
      value: { values: [], total: 0, hasMore: false },
    });
  });

  test.each(['toString', '__proto__', 'other'])(
    '%s, which is not an argument, has no values',
    async (argument) => {
      expect(await ask([], '', { argument })).toEqual({
        kind: 'value',
        value: { values: [], total: 0, hasMore: false },
      });
    },
  );

  test.each([
    ['an unknown prompt', { ref: 'q', argument: 'tone', value: '', arguments: {} }, 'Unknown prompt: q'],
    ['no prompt', {}, 'Unknown prompt: (no name)'],
    ['no request', undefined, 'Unknown prompt: (no name)'],
  ])('%s is unknown', async (_, request, message) => {
    expect(await manager([]).complete(request as never)).toEqual({
      kind: 'protocol-error',
      code: -32602,
      reason: 'UNKNOWN_PROMPT',
      message,
    });
  });
});

test('the arguments of a schema can be completed as well', async () => {
  const prompts = new PromptsManager().addPrompt({
    name: 'p',
    inputSchema: { type: 'object', properties: { tone: { type: 'string' } } },
    complete: { tone: ['a'] },
    handler: () => '',
  });
  const request = { ref: 'p', argument: 'tone', value: '', arguments: {} };
  expect(await prompts.complete(request)).toMatchObject({ value: { values: ['a'] } });
});

test('a completer finds the context and the metadata that came with the request', async () => {
  const prompts = new PromptsManager<{ db: string[] }>({ logger: silent, errorHandler }).addPrompt({
    name: 'p',
    arguments: [{ name: 'tone' }],
    complete: { tone: (_value, { context }) => [...context.db, context.traceparent ?? ''] },
    template: '',
  });
  const request = { ref: 'p', argument: 'tone', value: '', arguments: {} };
  expect(
    await prompts.complete({ ...request, context: { db: ['a'] }, meta: { traceparent: '00-1' } }),
  ).toMatchObject({ value: { values: ['a', '00-1'] } });
});

test('a total that counts less than there is, is refused', async () => {
  expect(await ask(() => ({ values: ['a', 'b'], total: 1 }))).toMatchObject({
    kind: 'protocol-error',
  });
});
