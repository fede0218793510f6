import { describe, expect, test } from 'vitest';
import {
  CallRefusedError,
  definePrompt,
  error,
  PromptsManager,
  ToolError,
  ValidationError,
} from '../../../src/index.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';
import type { AnyPromptDefinition, PromptsManagerOptions, ToolCall } from '../../../src/index.ts';
import type { Dialogue } from '../../../src/middleware/dialogue.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };

function manager(
  handler: NonNullable<AnyPromptDefinition['handler']>,
  options: PromptsManagerOptions = {},
): PromptsManager {
  const errorHandler = new ErrorHandler({ logger: silent, createReference: () => 'ref-1' });
  return new PromptsManager({ logger: silent, errorHandler, ...options }).addPrompt({ name: 'p', handler });
}

const run = (
  handler: NonNullable<AnyPromptDefinition['handler']>,
  options?: PromptsManagerOptions,
  call?: Partial<ToolCall>,
) => manager(handler, options).getPrompt({ name: 'p', ...call });

describe('failures', () => {
  test('errors of a handler are masked; the log and the client share a reference', async () => {
    const { logger, entries } = recordLog();
    const errorHandler = new ErrorHandler({ logger, createReference: () => 'ref-1' });
    const reply = await run(
      () => {
        throw new Error('connect ECONNREFUSED db.internal');
      },
      { logger: silent, errorHandler },
    );
    expect(reply).toEqual({
      kind: 'protocol-error',
      code: -32603,
      reason: 'TOOL_FAILED',
      message:
        "Prompt 'p' failed unexpectedly. The details are in the server's log under the reference ref-1.",
      data: { code: 'TOOL_FAILED', reference: 'ref-1' },
    });
    expect(entries).toMatchObject([
      {
        level: 'error',
        message: 'prompt call failed',
        fields: { reference: 'ref-1', kind: 'prompt', tool: 'p' },
      },
    ]);
  });

  test('a rejected promise is a failure like any other', async () => {
    expect(await run(() => Promise.reject(new Error('x')))).toMatchObject({
      code: -32603,
      reason: 'TOOL_FAILED',
    });
  });

  test('an error that was written for the caller reaches the caller', async () => {
    const reply = await run(() => {
      throw new ToolError('No note has the id 7.', { suggestions: ['List the notes first.'] });
    });
    expect(reply).toEqual({
      kind: 'protocol-error',
      code: -32603,
      reason: 'TOOL_ERROR',
      message: 'No note has the id 7.\nSuggestion: List the notes first.',
      data: { code: 'TOOL_ERROR', suggestions: ['List the notes first.'] },
    });
    const returned = await run(() => error('Nothing here.') as never);
    expect(returned).toMatchObject({ code: -32603, reason: 'TOOL_ERROR', message: 'Nothing here.' });
  });

  test('bad arguments that only the handler can see are bad arguments', async () => {
    const reply = await run(() => {
      throw new ValidationError([{ path: ['a'], message: 'is taken' }]);
    });
    expect(reply).toEqual({
      kind: 'protocol-error',
      code: -32602,
      reason: 'INVALID_ARGUMENTS',
      message: "Invalid arguments for prompt 'p'.\n- a: is taken",
      data: { code: 'INVALID_ARGUMENTS', issues: [{ path: ['a'], message: 'is taken' }] },
    });
  });

  test('a rejection has the time to wait', async () => {
    const reply = await run(() => {
      throw new CallRefusedError('BUSY', 'Another import is running.', { retryAfterMs: 500 });
    });
    expect(reply).toMatchObject({
      code: -32603,
      reason: 'BUSY',
      data: { code: 'BUSY', retryAfterMs: 500 },
    });
  });

  test('an error handler that fails does not cost the caller its answer', async () => {
    const broken = {
      createValidationError() {
        throw new Error('broken');
      },
      createErrorResult() {
        throw new Error('broken');
      },
      handleError() {
        throw new Error('broken');
      },
    };
    const reply = await run(
      () => {
        throw new Error('x');
      },
      { errorHandler: broken },
    );
    expect(reply).toMatchObject({ kind: 'protocol-error', code: -32603, reason: 'TOOL_FAILED' });
    expect((reply as { message: string }).message).toMatch(/^Prompt 'p' failed unexpectedly\. /);
  });

  test('an error handler that answers without details still makes an error', async () => {
    const odd = {
      createValidationError: () => ({ content: [], isError: true }),
      createErrorResult: () => ({ content: [], isError: true }),
      handleError: () => ({ content: [], isError: true }),
    };
    const reply = await run(
      () => {
        throw new Error('x');
      },
      { errorHandler: odd as never },
    );
    expect(reply).toEqual({
      kind: 'protocol-error',
      code: -32603,
      reason: 'TOOL_FAILED',
      message: 'The call failed.',
      data: { code: 'TOOL_FAILED' },
    });
  });
});

describe('limits', () => {
  test('a caller who has used up its calls is told how long to wait', async () => {
    const prompts = manager(() => 'x', { clock: new FakeClock(), rateLimit: { limit: 1, perMs: 60_000 } });
    expect(await prompts.getPrompt({ name: 'p' })).toMatchObject({ kind: 'value' });
    const reply = await prompts.getPrompt({ name: 'p' });
    expect(reply).toEqual({
      kind: 'protocol-error',
      code: -32603,
      reason: 'RATE_LIMITED',
      message: 'Too many calls. Try again in 60 s.',
      data: { code: 'RATE_LIMITED', retryAfterMs: 60_000 },
    });
    const other = await prompts.getPrompt({ name: 'p', principal: { id: 'ada' } });
    expect(other.kind).toBe('value');
  });

  test('a handler that hangs is stopped at its deadline', async () => {
    const clock = new FakeClock();
    let signal: AbortSignal | undefined;
    const prompts = new PromptsManager({ clock, logger: silent }).addPrompt({
      name: 'p',
      timeoutMs: 200,
      handler: ({ context }) => {
        ({ signal } = context);
        return new Promise<string>(() => {});
      },
    });
    const reply = prompts.getPrompt({ name: 'p' });
    clock.advance(200);
    expect(await reply).toEqual({
      kind: 'protocol-error',
      code: -32603,
      reason: 'TIMED_OUT',
      message: "Prompt 'p' did not finish within 200 ms and was stopped.",
      data: { code: 'TIMED_OUT' },
    });
    expect(signal?.aborted).toBe(true);
  });

  test('the deadline of the manager holds where the prompt has none', async () => {
    const clock = new FakeClock();
    const reply = run(() => new Promise<string>(() => {}), { clock, timeoutMs: 70 });
    clock.advance(70);
    expect(await reply).toMatchObject({ reason: 'TIMED_OUT' });
  });

  test('a cancelled call ends immediately, and its handler is cancelled', async () => {
    const controller = new AbortController();
    let signal: AbortSignal | undefined;
    const reply = run(
      ({ context }) => {
        ({ signal } = context);
        return new Promise<string>(() => {});
      },
      {},
      { signal: controller.signal },
    );
    controller.abort();
    expect(await reply).toMatchObject({ code: -32603, reason: 'CANCELLED', data: { code: 'CANCELLED' } });
    expect(signal?.aborted).toBe(true);
  });

  test('a result that is too large is not sent', async () => {
    expect(await run(() => 'x'.repeat(200), { maxResultBytes: 150 })).toEqual({
      kind: 'protocol-error',
      code: -32603,
      reason: 'RESULT_TOO_LARGE',
      message:
        "The result of 'p' has more than 150 bytes; the limit is 150.\nSuggestion: Ask for less: narrow the filter, or read the data in pages.",
      data: {
        code: 'RESULT_TOO_LARGE',
        suggestions: ['Ask for less: narrow the filter, or read the data in pages.'],
      },
    });
  });

  test('size is counted in bytes, not in letters', async () => {
    expect(await run(() => 'ä'.repeat(100), { maxResultBytes: 150 })).toMatchObject({
      reason: 'RESULT_TOO_LARGE',
    });
    expect(await run(() => 'a'.repeat(100), { maxResultBytes: 150 })).toMatchObject({ kind: 'value' });
  });
});

describe('the context of a handler', () => {
  test('has the standard members and what the application adds', async () => {
    const prompts = new PromptsManager<{ db: string }>({
      createContext: ({ name, principal }) => ({ db: `db of ${principal?.id} for ${name}` }),
    }).addPrompt({
      name: 'p',
      arguments: [{ name: 'a' }],
      handler: ({ context }) =>
        [context.db, context.name, context.operation, context.rawArguments['a'], context.traceparent].join(
          '|',
        ),
    });
    const call = {
      name: 'p',
      arguments: { a: '1' },
      principal: { id: 'ada' },
      meta: { traceparent: '00-1' },
    };
    expect(await prompts.getPrompt(call)).toMatchObject({
      value: { messages: [{ content: { text: 'db of ada for p|p|p|1|00-1' } }] },
    });
    expect(await prompts.getPrompt({ ...call, context: { db: 'given' } })).toMatchObject({
      value: { messages: [{ content: { text: 'given|p|p|1|00-1' } }] },
    });
  });

  test('reports progress to the caller', async () => {
    const seen: unknown[] = [];
    await run(
      async ({ context }) => {
        await context.progress(1, 2);
        return 'x';
      },
      {},
      { onProgress: (update) => void seen.push(update) },
    );
    expect(seen).toEqual([{ progress: 1, total: 2 }]);
  });

  test('the log names the prompt', async () => {
    const { logger, entries } = recordLog();
    await run(
      ({ context }) => {
        context.log.warning('careful');
        return 'x';
      },
      { logger },
    );
    expect(entries.find(({ message }) => message === 'careful')?.fields).toEqual({ prompt: 'p' });
    expect(entries.find(({ message }) => message === 'prompt call')?.fields).toMatchObject({
      prompt: 'p',
      outcome: 'value',
    });
  });

  test('a question that only another request can answer becomes a request for input', async () => {
    const pending = { isPending: true, client: {}, put: () => Promise.reject(new Error('pending')) };
    const reply = await run(
      async ({ context }) => {
        await context.ask('name', { message: 'Who?', schema: { type: 'object' } });
        return 'x';
      },
      {},
      { dialogue: pending as unknown as Dialogue },
    );
    expect(reply).toEqual({ kind: 'input-required' });
  });

  test('a client without elicitation gets the missing capability', async () => {
    const reply = await run(async ({ context }) => {
      await context.askRoots('roots');
      return 'x';
    });
    expect(reply).toEqual({
      kind: 'protocol-error',
      code: -32021,
      reason: 'MISSING_CLIENT_CAPABILITY',
      message: 'This client cannot be asked.',
      data: { requiredCapabilities: { roots: {} } },
    });
  });
});

describe('a security wrapper of your own', () => {
  test('is made once for each prompt and sees every call', async () => {
    const seen: unknown[] = [];
    const prompts = new PromptsManager({
      name: 'app',
      withSecurityWrapper: (namespace, operation) => {
        seen.push([namespace, operation]);
        return ({ tool, kind, arguments: given, principal }, proceed) => {
          seen.push([tool, kind, given, principal?.id]);
          return proceed({ a: 'checked' });
        };
      },
    }).addPrompt({ name: 'p', arguments: [{ name: 'a' }], handler: ({ input }) => input.a ?? '' });
    const reply = await prompts.getPrompt({ name: 'p', arguments: { a: 'raw' }, principal: { id: 'ada' } });
    expect(reply).toMatchObject({ value: { messages: [{ content: { text: 'checked' } }] } });
    expect(seen).toEqual([
      ['app', 'p'],
      ['p', 'prompt', { a: 'raw' }, 'ada'],
    ]);
  });

  test('that answers nonsense or throws does not cost the caller its answer', async () => {
    const nonsense = await run(() => 'x', { withSecurityWrapper: () => () => undefined as never });
    expect(nonsense).toMatchObject({ code: -32603, reason: 'TOOL_FAILED' });
    const throwing = await run(() => 'x', {
      withSecurityWrapper: () => () => {
        throw new Error('down');
      },
    });
    expect(throwing).toMatchObject({ code: -32603, reason: 'TOOL_FAILED' });
  });
});

test('two managers share nothing', async () => {
  const prompt = definePrompt({ name: 'p', template: 'x' });
  const limited = { rateLimit: { limit: 1, perMs: 1000 }, clock: new FakeClock(), logger: silent };
  const [first, second] = [new PromptsManager(limited), new PromptsManager(limited)];
  first.addPrompt(prompt);
  second.addPrompt(prompt);
  await first.getPrompt({ name: 'p' });
  expect((await first.getPrompt({ name: 'p' })).kind).toBe('protocol-error');
  expect((await second.getPrompt({ name: 'p' })).kind).toBe('value');
});

test.each([undefined, null, {}, { name: 5 }, { name: { toString: () => 'p' } }])(
  'a call that is none (%o) is answered',
  async (call) => {
    expect(await manager(() => 'x').getPrompt(call as never)).toMatchObject({
      kind: 'protocol-error',
      code: -32602,
      reason: 'UNKNOWN_PROMPT',
    });
  },
);

describe('the short form', () => {
  const prompts = new PromptsManager({
    prompts: [
      { name: 'greet', arguments: [{ name: 'who', required: true }], template: 'Hello {{who}}' },
      { name: 'secret', scopes: ['admin'], template: 'S' },
    ],
  });

  test('getPrompt(name, args) resolves to the messages', async () => {
    expect(await prompts.getPrompt('greet', { who: 'Ada' })).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ada' } }],
    });
  });

  test.each([
    ['greet', { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('who') as string }],
    ['none', { code: 'UNKNOWN_PROMPT', message: 'Unknown prompt: none' }],
    ['secret', { code: 'UNKNOWN_PROMPT', message: 'Unknown prompt: secret' }],
  ])('getPrompt(%j) without arguments rejects', async (name, error) => {
    await expect(prompts.getPrompt(name)).rejects.toMatchObject(error);
  });

  test('has(name) says what a caller could get', () => {
    const admin = { principal: { id: 'ada', scopes: ['admin'] } };
    expect([prompts.has('greet'), prompts.has('secret'), prompts.has('none')]).toEqual([true, false, false]);
    expect(prompts.has('secret', admin)).toBe(true);
  });
});
