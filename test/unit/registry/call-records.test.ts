import { describe, expect, test } from 'vitest';
import { createServer, createTool, error, ToolError, ToolRegistry } from '../../../src/index.ts';
import type { CallRecord } from '../../../src/collaborators.ts';
import type { ServerOptions } from '../../../src/index.ts';
import { connectTestClient } from '../../../src/testing.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { RawClient } from '../../support/raw-client.ts';
import * as z from 'zod';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const principal = { id: 'ada', scopes: ['notes'] };
const never = (): Promise<never> => new Promise(() => {});

const notes = createTool('notes')
  .description('Notes')
  .action({ name: 'read', schema: z.object({ id: z.string() }), handler: () => 'text' })
  .action({ name: 'lose', handler: () => error('lost') })
  .action({
    name: 'fail',
    handler: () => {
      throw new ToolError('no');
    },
  })
  .action({
    name: 'break',
    handler: () => {
      throw new Error('secret');
    },
  })
  .action({ name: 'hang', handler: never, timeoutMs: 50 })
  .action({ name: 'purge', scopes: ['notes:purge'], handler: () => 'purged' })
  .action({ name: 'remove', scopes: ['notes:delete'], missingScopes: 'challenge', handler: () => 'removed' })
  .action({
    name: 'drop',
    destructive: true,
    confirm: 'preview',
    preview: () => 'would drop',
    handler: () => 'dropped',
  });

function record(options: Partial<ServerOptions> = {}) {
  const records: CallRecord[] = [];
  const [clock, logged] = [new FakeClock(), [] as string[]];
  const server = createServer({
    name: 'notes',
    version: '1.0.0',
    tools: [notes],
    exposure: 'flat',
    rateLimit: { limit: 20, perMs: 1000 },
    clock,
    logger: { debug() {}, info() {}, warning() {}, error: (message) => logged.push(message) },
    onCallEnd: (each) => void records.push(each),
    ...options,
  });
  return { server, records, clock, logged };
}

describe('onCallEnd', () => {
  test.each([
    ['notes_read', { id: '1' }, 'notes.read', { outcome: 'ok' }],
    ['notes_read', {}, 'notes.read', { outcome: 'error', code: 'INVALID_ARGUMENTS' }],
    ['notes_read', [], 'notes.read', { outcome: 'error', code: 'INVALID_ARGUMENTS' }],
    ['notes_lose', {}, 'notes.lose', { outcome: 'error', code: 'TOOL_ERROR' }],
    ['notes_fail', {}, 'notes.fail', { outcome: 'error', code: 'TOOL_ERROR' }],
    ['notes_break', {}, 'notes.break', { outcome: 'error', code: 'TOOL_FAILED' }],
    ['notes_purge', {}, 'notes_purge', { outcome: 'error', code: 'UNKNOWN_TOOL' }],
    ['nothing', {}, 'nothing', { outcome: 'error', code: 'UNKNOWN_TOOL' }],
    ['notes_remove', {}, 'notes.remove', { outcome: 'error', code: 'INSUFFICIENT_SCOPE' }],
    [
      'notes_drop',
      { confirmation_token: 'x' },
      'notes.drop',
      { outcome: 'error', code: 'CONFIRMATION_REFUSED' },
    ],
  ])('a call of %s with %j has one record', async (name, args, canonical, end) => {
    const { server, records } = record();
    await server.tools?.handleCall({ name, arguments: args, principal, meta: { traceparent: TRACE } });
    expect(records).toEqual([
      {
        at: 1_000_000,
        kind: 'tool',
        name: canonical,
        principal: 'ada',
        traceparent: TRACE,
        ...end,
        durationMs: 0,
      },
    ]);
  });

  test('a name that is long, and a trace context that is invalid, are not repeated', async () => {
    const { server, records } = record();
    const call = { name: 'x'.repeat(1000), meta: { traceparent: 'anything' } };
    await server.tools?.handleCall(call);
    expect(records).toEqual([
      {
        at: 1_000_000,
        kind: 'tool',
        name: 'x'.repeat(128),
        outcome: 'error',
        code: 'UNKNOWN_TOOL',
        durationMs: 0,
      },
    ]);
  });

  test('calls that time out, are cancelled or are above the rate limit have their record', async () => {
    const { server, records, clock } = record({ rateLimit: { limit: 2, perMs: 1000 } });
    const hangs = server.tools?.handleCall({ name: 'notes_hang', principal });
    clock.advance(50);
    await hangs;
    const controller = new AbortController();
    const cut = server.tools?.handleCall({ name: 'notes_hang', principal, signal: controller.signal });
    clock.advance(7);
    controller.abort();
    await cut;
    await server.tools?.handleCall({ name: 'notes_read', arguments: { id: '1' }, principal });
    const ends = records.map(({ code, durationMs }) => `${code} ${durationMs}`);
    expect(ends).toEqual(['TIMED_OUT 50', 'CANCELLED 7', 'RATE_LIMITED 0']);
  });

  test('in every exposure the record has the canonical name of an action', async () => {
    const { server, records } = record({ exposure: 'grouped' });
    await server.tools?.handleCall({ name: 'notes', arguments: { action: 'read', id: '1' }, principal });
    await server.tools?.handleCall({ name: 'notes', arguments: { action: 'purge' }, principal });
    await server.tools?.handleCall({ name: 'notes', arguments: { action: 'remove' }, principal });
    const ends = records.map(({ name, code = 'ok' }) => `${name} ${code}`);
    expect(ends).toEqual(['notes.read ok', 'notes INVALID_ARGUMENTS', 'notes.remove INSUFFICIENT_SCOPE']);
  });

  test('prompts and resources have records, hidden ones too', async () => {
    const { server, records } = record({
      prompts: [
        { name: 'greet', template: 'Hello' },
        { name: 'audit', scopes: ['audit'], template: 'Audit' },
      ],
      resources: [{ uri: 'notes://terms', name: 'terms', text: 'Pay.' }],
    });
    await server.prompts?.getPrompt({ name: 'greet', principal });
    await server.prompts?.getPrompt({ name: 'audit', principal });
    await server.resources?.readResource({ uri: 'notes://terms', principal });
    await server.resources?.readResource({ uri: 'notes://none', principal });
    expect(records.map(({ kind, name, code = 'ok' }) => `${kind} ${name} ${code}`)).toEqual([
      'prompt greet ok',
      'prompt audit UNKNOWN_PROMPT',
      'resource notes://terms ok',
      'resource notes://none UNKNOWN_RESOURCE',
    ]);
  });

  test('a call that asks the user has a record of each round', async () => {
    const { server, records } = record({
      tools: [
        {
          name: 'ask',
          description: 'Asks',
          inputSchema: z.object({}),
          handler: async ({ context }) =>
            (await context.ask('who', { message: 'Who?', schema: z.object({ name: z.string() }) })).action,
        },
      ],
    });
    const client = connectTestClient(server, { principal, onElicitation: () => ({ action: 'decline' }) });
    await client.callTool('ask');
    const ends = records.map(({ name, outcome, code }) => ({ name, outcome, code }));
    expect(ends).toEqual([
      { name: 'ask', outcome: 'input-required', code: undefined },
      { name: 'ask', outcome: 'ok', code: undefined },
    ]);
  });

  test.each(['call', 'handler'] as const)(
    'a task has one record, when it ends (start: %s)',
    async (start) => {
      const ends: (() => void)[] = [];
      const { server, records } = record({
        tools: [
          {
            name: 'job',
            description: 'Works',
            inputSchema: z.object({ id: z.string() }),
            task: { support: 'required', start },
            handler: async ({ context }) => {
              await context.startTask();
              await new Promise<void>((resolve) => ends.push(resolve));
              return 'done';
            },
          },
        ],
        limits: { maxRunningTasks: 1 },
      });
      const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
      const client = new RawClient(server);
      const call = (capabilities: object) =>
        client.modern('tools/call', { name: 'job', arguments: { id: '1' } }, capabilities);
      await call({});
      await call(TASKS);
      await call(TASKS);
      const codes = (): string[] => records.map(({ name, code = 'ok' }) => `${name} ${code}`);
      expect(codes()).toEqual(['job MISSING_CLIENT_CAPABILITY', 'job BUSY']);
      for (const end of ends) end();
      await expect.poll(codes).toEqual(['job MISSING_CLIENT_CAPABILITY', 'job BUSY', 'job ok']);
      await server.close();
    },
  );

  test.each([
    () => {
      throw new Error('no disk');
    },
    () => Promise.reject(new Error('no disk')),
  ])('a record that cannot be written is logged, and the call has its result', async (onCallEnd) => {
    const { server, logged } = record({ onCallEnd });
    const reply = await server.tools?.handleCall({ name: 'notes_read', arguments: { id: '1' }, principal });
    expect(reply).toMatchObject({ kind: 'result', result: { content: [{ type: 'text', text: 'text' }] } });
    expect(logged).toEqual(['onCallEnd failed; the record of the call is lost']);
  });

  test('anything but a function is rejected', () => {
    expect(() => new ToolRegistry({ onCallEnd: true as never })).toThrow(/onCallEnd must be a function/);
  });
});
