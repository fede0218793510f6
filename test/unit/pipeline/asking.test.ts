import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  createServer,
  defineTool,
  MissingCapabilityError,
  silentLogger,
  ToolRegistry,
} from '../../../src/index.ts';
import type { AnyToolDefinition, ToolwrightServer } from '../../../src/index.ts';
import { resultCache, retry, timeout } from '../../../src/middleware.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { RawClient } from '../../support/raw-client.ts';
import type { RawMessage } from '../../support/raw-client.ts';

const nothing = z.object({});
const nameSchema = z.object({ name: z.string().min(1) });
const CAN_ASK = { elicitation: {} };
const accept = (content: object): object => ({ action: 'accept', content });

const serve = (tools: AnyToolDefinition[], clock = new FakeClock()): ToolwrightServer =>
  createServer({ name: 's', version: '1', logger: silentLogger, clock, tools });

/** The same response to every elicitation. */
const answerTo = (result: RawMessage['result'], answer: object): object =>
  Object.fromEntries(Object.keys(result?.['inputRequests'] as object).map((name) => [name, answer]));

const textOf = ({ result }: RawMessage): unknown =>
  (result?.['content'] as { text: string }[] | undefined)?.[0]?.text;

describe('a question of 2026-07-28', () => {
  const greet = defineTool({
    name: 'greet',
    description: 'Greets',
    inputSchema: nothing,
    handler: async ({ context }) => {
      const answer = await context.ask('who', { message: 'Who are you?', schema: nameSchema });
      return answer.action === 'accept' ? `Hello, ${answer.content.name}` : `no: ${answer.action}`;
    },
  });

  test('ends the run, and its answer ends the call', async () => {
    const client = new RawClient(serve([greet]));
    const { result } = await client.modern('tools/call', { name: 'greet' }, CAN_ASK);
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        who: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'Who are you?',
            requestedSchema: {
              type: 'object',
              properties: { name: { type: 'string', minLength: 1 } },
              required: ['name'],
            },
          },
        },
      },
    });
    const retried = await client.modern(
      'tools/call',
      {
        name: 'greet',
        requestState: result?.['requestState'],
        inputResponses: { who: accept({ name: 'Ada' }) },
      },
      CAN_ASK,
    );
    expect(textOf(retried)).toBe('Hello, Ada');
  });

  test.each([
    ['an empty name', accept({ name: '' })],
    ['no content', { action: 'accept' }],
    ['no action', { content: { name: 'Ada' } }],
    ['a number', 12],
    ['nothing', null],
  ])('is asked again when the answer is %s', async (_title, answer) => {
    const client = new RawClient(serve([greet]));
    const { result } = await client.modern(
      'tools/call',
      { name: 'greet', inputResponses: { who: answer } },
      CAN_ASK,
    );
    expect(result?.['resultType']).toBe('input_required');
  });

  test('may be declined', async () => {
    const client = new RawClient(serve([greet]));
    const answer = await client.modern(
      'tools/call',
      { name: 'greet', inputResponses: { who: { action: 'decline' } } },
      CAN_ASK,
    );
    expect(textOf(answer)).toBe('no: decline');
  });

  test('takes precedence over the result of the handler', async () => {
    const stubborn = defineTool({
      name: 'stubborn',
      description: 'Catches everything',
      inputSchema: nothing,
      handler: async ({ context }) => {
        try {
          await context.ask('who', { message: '?', schema: nameSchema });
          return 'answered';
        } catch {
          return 'went on without';
        }
      },
    });
    const { result } = await new RawClient(serve([stubborn])).modern(
      'tools/call',
      { name: 'stubborn' },
      CAN_ASK,
    );
    expect(result?.['resultType']).toBe('input_required');
  });

  test('is not tried again by a middleware that retries', async () => {
    let runs = 0;
    const registry = new ToolRegistry({ logger: silentLogger }).use(retry({ attempts: 3, backoffMs: 0 }));
    registry.register({
      ...greet,
      annotations: { readOnlyHint: true },
      handler: (call) => {
        runs += 1;
        return greet.handler(call);
      },
    });
    const server = createServer({ name: 's', version: '1', tools: registry });
    const { result } = await new RawClient(server).modern('tools/call', { name: 'greet' }, CAN_ASK);
    expect([result?.['resultType'], runs]).toEqual(['input_required', 1]);
  });

  test('makes a result that no cache keeps', async () => {
    let runs = 0;
    const registry = new ToolRegistry({ logger: silentLogger }).use(resultCache());
    registry.register({
      ...greet,
      annotations: { readOnlyHint: true },
      handler: (call) => {
        runs += 1;
        return greet.handler(call);
      },
    });
    const client = new RawClient(createServer({ name: 's', version: '1', tools: registry }));
    const say = async (name: string): Promise<unknown> =>
      textOf(
        await client.modern(
          'tools/call',
          { name: 'greet', inputResponses: { who: accept({ name }) } },
          CAN_ASK,
        ),
      );
    expect([await say('Ada'), await say('Eve'), runs]).toEqual(['Hello, Ada', 'Hello, Eve', 2]);
  });

  test('that the client cannot show is an error which says what is missing', async () => {
    const { error } = await new RawClient(serve([greet])).modern('tools/call', { name: 'greet' }, {});
    expect(error).toEqual({
      code: -32021,
      message: 'Missing client capability: elicitation.',
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });
});

test('a call with a pending elicitation is not logged as a failure', async () => {
  const { logger, entries } = recordLog();
  const ask = defineTool({
    name: 'ask',
    description: 'A',
    inputSchema: nothing,
    handler: ({ context }) => context.ask('who', { message: '?', schema: nameSchema }),
  });
  const server = createServer({ name: 's', version: '1', logger, tools: [ask] });
  await new RawClient(server).modern('tools/call', { name: 'ask' }, CAN_ASK);
  expect(entries.map(({ fields }) => fields?.['outcome'])).toEqual(['input-required']);
});

test('a question that needs more than was declared says what', async () => {
  const visit = defineTool({
    name: 'visit',
    description: 'V',
    inputSchema: nothing,
    handler: ({ context }) => context.askUrl('page', { message: '?', url: 'https://x.example' }),
  });
  const { error } = await new RawClient(serve([visit])).modern(
    'tools/call',
    { name: 'visit' },
    { elicitation: { form: {} } },
  );
  expect(error?.message).toBe('Missing client capability: elicitation.url.');
});

test('a question without a name is refused', async () => {
  const nameless = defineTool({
    name: 'nameless',
    description: 'N',
    inputSchema: nothing,
    handler: async ({ context }) => {
      const ask = context.ask as unknown as (question: object) => Promise<unknown>;
      return ask({ message: '?', schema: nameSchema }).catch((error: unknown) => String(error));
    },
  });
  expect(
    textOf(await new RawClient(serve([nameless])).modern('tools/call', { name: 'nameless' }, CAN_ASK)),
  ).toBe("DefinitionError: Missing question name. Write: context.ask('size', { message, schema }).");
});

describe('a task that was cancelled', () => {
  const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

  test.each(['call', 'handler'] as const)(
    'holds its place until its handler has ended (start: %s)',
    async (start) => {
      const ends: (() => void)[] = [];
      const stubborn = defineTool({
        name: 'stubborn',
        description: 'Does not listen',
        task: { support: 'required', start },
        inputSchema: nothing,
        handler: async ({ context }) => {
          await context.startTask();
          await new Promise<void>((resolve) => ends.push(resolve));
          return 'late';
        },
      });
      const server = createServer({
        name: 's',
        version: '1',
        logger: silentLogger,
        tools: [stubborn],
        limits: { maxRunningTasks: 1 },
      });
      const client = new RawClient(server);
      const call = (): Promise<RawMessage> => client.modern('tools/call', { name: 'stubborn' }, TASKS);
      const { result } = await call();
      await client.modern('tasks/cancel', { taskId: result?.['taskId'] }, TASKS);
      const status = await client.modern('tasks/get', { taskId: result?.['taskId'] }, TASKS);
      expect(status.result?.['status']).toBe('cancelled');
      const refused = await call();
      expect([refused.error?.data ?? refused.result?.['_meta']]).toMatchObject([
        start === 'call' ? { code: 'BUSY' } : { 'toolwright/error': { code: 'BUSY' } },
      ]);
      for (const end of ends) end();
      await server.close();
    },
  );
});

describe('steps', () => {
  test('run once, however often the handler is run; what they gave is remembered as JSON', async () => {
    const runs: string[] = [];
    const order = defineTool({
      name: 'order',
      description: 'Orders',
      inputSchema: nothing,
      handler: async ({ context }) => {
        const id = await context.step('reserve', async () => {
          runs.push('reserve');
          return { at: new Date(0), id: 7 };
        });
        const size = await context.ask('size', { message: 'Size?', schema: z.object({ size: z.int() }) });
        await context.step('log', () => void runs.push('log'));
        const colour = await context.ask('colour', {
          message: 'Colour?',
          schema: z.object({ colour: z.string() }),
        });
        runs.push('pay');
        return JSON.stringify([id, size.action, colour]);
      },
    });
    const client = new RawClient(serve([order]));
    const first = await client.modern('tools/call', { name: 'order' }, CAN_ASK);
    const second = await client.modern(
      'tools/call',
      {
        name: 'order',
        requestState: first.result?.['requestState'],
        inputResponses: { size: accept({ size: 3 }) },
      },
      CAN_ASK,
    );
    expect(Object.keys(second.result?.['inputRequests'] as object)).toEqual(['colour']);
    const third = await client.modern(
      'tools/call',
      {
        name: 'order',
        requestState: second.result?.['requestState'],
        inputResponses: { colour: accept({ colour: 'blue' }) },
      },
      CAN_ASK,
    );
    expect(textOf(third)).toBe(
      '[{"at":"1970-01-01T00:00:00.000Z","id":7},"accept",{"action":"accept","content":{"colour":"blue"}}]',
    );
    expect(runs).toEqual(['reserve', 'log', 'pay']);
  });

  test('that fail are tried again, those under way are shared', async () => {
    let runs = 0;
    const flaky = defineTool({
      name: 'flaky',
      description: 'F',
      inputSchema: nothing,
      handler: async ({ context }) => {
        const fail = (): number => {
          runs += 1;
          if (runs === 1) throw new Error('once');
          return runs;
        };
        await context.step('a', fail).catch(() => {});
        return JSON.stringify(await Promise.all([context.step('a', fail), context.step('a', fail)]));
      },
    });
    expect(textOf(await new RawClient(serve([flaky])).modern('tools/call', { name: 'flaky' }))).toBe('[2,2]');
  });

  test('that give what JSON cannot carry fail the call', async () => {
    const big = defineTool({
      name: 'big',
      description: 'B',
      inputSchema: nothing,
      handler: ({ context }) => context.step('a', () => 1n),
    });
    const { result } = await new RawClient(serve([big])).modern('tools/call', { name: 'big' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'INVALID_OUTPUT' } },
    });
  });
});

describe('a question of an earlier revision', () => {
  const patient = (then: (signal: AbortSignal) => Promise<unknown>): AnyToolDefinition =>
    defineTool({
      name: 'patient',
      description: 'Waits',
      timeoutMs: 1000,
      inputSchema: nothing,
      handler: async ({ context }) => {
        const answer = await context.ask('who', { message: '?', schema: nameSchema });
        await then(context.signal);
        return JSON.stringify(answer);
      },
    });

  test('stops the clock of the call while it waits', async () => {
    const clock = new FakeClock();
    const client = new RawClient(serve([patient(async () => {})], clock));
    await client.initialize(CAN_ASK);
    const called = client.request('tools/call', { name: 'patient' });
    const asked = await client.next(({ method }) => method === 'elicitation/create');
    clock.advance(60_000);
    await client.send({ id: asked.id, result: accept({ name: 'Ada' }) });
    expect(textOf(await called)).toBe('{"action":"accept","content":{"name":"Ada"}}');
    expect(clock.pending).toBe(0);
  });

  test('stops the clock of a middleware as well', async () => {
    const clock = new FakeClock();
    const registry = new ToolRegistry({ logger: silentLogger, clock }).use(timeout({ ms: 500, clock }));
    registry.registerAll([patient(async () => {})]);
    const client = new RawClient(createServer({ name: 's', version: '1', clock, tools: registry }));
    await client.initialize(CAN_ASK);
    const called = client.request('tools/call', { name: 'patient' });
    const asked = await client.next(({ method }) => method === 'elicitation/create');
    clock.advance(60_000);
    await client.send({ id: asked.id, result: accept({ name: 'Ada' }) });
    expect(textOf(await called)).toBe('{"action":"accept","content":{"name":"Ada"}}');
    expect(clock.pending).toBe(0);
  });

  test('is not sent by a handler whose call has ended', async () => {
    const clock = new FakeClock();
    let late: Promise<unknown> | undefined;
    const slow = defineTool({
      name: 'slow',
      description: 'S',
      timeoutMs: 1000,
      inputSchema: nothing,
      handler: ({ context }) =>
        new Promise(() => {
          context.signal.addEventListener('abort', () => {
            late = context.ask('who', { message: '?', schema: nameSchema });
          });
        }),
    });
    const client = new RawClient(serve([slow], clock));
    await client.initialize(CAN_ASK);
    const called = client.request('tools/call', { name: 'slow' });
    await client.request('ping');
    clock.advance(1000);
    await called;
    await expect(late).rejects.toThrow('The call has ended; "who" was not asked.');
    expect(client.received.some(({ method }) => method === 'elicitation/create')).toBe(false);
  });

  test('leaves the call the time it had', async () => {
    const clock = new FakeClock();
    let goOn: () => void = () => {};
    const working = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const client = new RawClient(serve([patient(() => (goOn(), new Promise(() => {})))], clock));
    await client.initialize(CAN_ASK);
    const called = client.request('tools/call', { name: 'patient' });
    const asked = await client.next(({ method }) => method === 'elicitation/create');
    clock.advance(60_000);
    await client.send({ id: asked.id, result: accept({ name: 'Ada' }) });
    await working;
    clock.advance(1000);
    expect(textOf(await called)).toBe("Tool 'patient' did not finish within 1000 ms and was stopped.");
  });

  test('times out, and the client gets a cancellation', async () => {
    const clock = new FakeClock();
    const client = new RawClient(serve([patient(async () => {})], clock));
    await client.initialize(CAN_ASK);
    const called = client.request('tools/call', { name: 'patient' });
    const asked = await client.next(({ method }) => method === 'elicitation/create');
    clock.advance(600_000);
    expect(textOf(await called)).toBe('The client did not respond within 600000 ms.');
    const told = await client.next(({ method }) => method === 'notifications/cancelled');
    expect(told.params?.['requestId']).toBe(asked.id);
  });

  test('fails without the capability, and the handler may continue', async () => {
    const modest = defineTool({
      name: 'modest',
      description: 'M',
      inputSchema: nothing,
      handler: async ({ context }) => {
        try {
          return (await context.ask('who', { message: '?', schema: nameSchema })).action;
        } catch (error) {
          return error instanceof MissingCapabilityError ? 'went on without' : 'something else';
        }
      },
    });
    const client = new RawClient(serve([modest]));
    await client.initialize({});
    expect(textOf(await client.request('tools/call', { name: 'modest' }))).toBe('went on without');
    expect(textOf(await client.modern('tools/call', { name: 'modest' }, {}))).toBe('went on without');
  });
});

test('a call in this process has no client to ask', async () => {
  const registry = new ToolRegistry({ logger: silentLogger }).register({
    name: 'ask',
    description: 'Asks',
    inputSchema: nothing,
    handler: ({ context }) => context.ask('who', { message: '?', schema: nameSchema }),
  });
  const { content, isError } = await registry.executeTool({ name: 'ask' });
  expect([isError, content]).toEqual([true, [{ type: 'text', text: 'This client cannot be asked.' }]]);
});

describe('a write that asks first', () => {
  const runs: string[] = [];
  const remove = defineTool({
    name: 'remove',
    description: 'Removes',
    inputSchema: z.object({ path: z.string() }),
    confirm: 'preview',
    preview: ({ input }) => `3 files in ${input.path} go`,
    handler: ({ input }) => {
      runs.push(input.path);
      return `removed ${input.path}`;
    },
  });
  const call = (more: object = {}): object => ({ name: 'remove', arguments: { path: '/old' }, ...more });

  test('asks the user where the client can, and an answer counts once', async () => {
    const client = new RawClient(serve([remove]));
    const { result } = await client.modern('tools/call', call(), CAN_ASK);
    expect(Object.values(result?.['inputRequests'] as object)).toMatchObject([
      { params: { message: 'remove: 3 files in /old go' } },
    ]);
    const consent = call({
      requestState: result?.['requestState'],
      inputResponses: answerTo(result, accept({ confirm: true })),
    });
    expect(textOf(await client.modern('tools/call', consent, CAN_ASK))).toBe('removed /old');
    const again = await client.modern('tools/call', consent, CAN_ASK);
    expect(again.result?.['_meta']).toMatchObject({ 'toolwright/error': { code: 'CONFIRMATION_REFUSED' } });
    expect(runs.splice(0)).toEqual(['/old']);
  });

  test.each([
    ['declines', { action: 'decline' }],
    ['says no', accept({ confirm: false })],
    ['goes away', { action: 'cancel' }],
  ])('does nothing when the user %s', async (_title, answer) => {
    const client = new RawClient(serve([remove]));
    const { result } = await client.modern('tools/call', call(), CAN_ASK);
    const refused = await client.modern(
      'tools/call',
      call({ requestState: result?.['requestState'], inputResponses: answerTo(result, answer) }),
      CAN_ASK,
    );
    expect(textOf(refused)).toBe('The user declined. Nothing was done.');
    expect(runs).toEqual([]);
  });

  test('is not done by a response without a request', async () => {
    const client = new RawClient(serve([remove]));
    const { result: asked } = await client.modern('tools/call', call(), CAN_ASK);
    const forged = call({ inputResponses: answerTo(asked, accept({ confirm: true })) });
    const { result } = await client.modern('tools/call', forged, CAN_ASK);
    expect([result?.['resultType'], runs]).toEqual(['input_required', []]);
  });

  test('gives a token where the client cannot ask', async () => {
    const answer = await new RawClient(serve([remove])).modern('tools/call', call(), {});
    expect(textOf(answer)).toMatch(/^Nothing was done yet/);
  });
});
